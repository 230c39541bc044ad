-- name: sessions
-- Sessions by what they are labelled with and by an event that they recorded, those with the newest events first, below a
-- place in that order: each with the times at which its first event and its newest activity occurred. The title is null
-- where another stream holds it. Sessions with an event that fits are found in one pass, since no index knows them.
select s.stream_id, s.recorded_at, coalesce(work.occurred_at, s.started_at), s.version,
       coalesce(first.occurred_at, s.started_at), s.summary, s.epoch, coalesce(c.bytes, t.bytes),
       (s.summary ->> 'tokens:main')::bigint, (s.summary #>> '{windows,main,limit}')::integer
from (
    select *
    from backstory.streams s
    where s.kind = 'session' and (s.recorded_at, s.stream_id) < (%(recorded)s, %(session)s)
        and (%(project)s::text is null or s.summary #>> '{labels,project}' = %(project)s)
        and (%(projects)s::text[] is null or s.summary #>> '{labels,project}' = any (%(projects)s))
        and (%(status)s::text is null or coalesce(s.summary #>> '{labels,status}', 'open') = %(status)s)
        and (%(tag)s::text is null or s.summary #> '{labels,tags}' ? %(tag)s)
        and (%(ids)s::uuid[] is null or s.stream_id = any (%(ids)s))
        and (%(actor)s::text is null and %(types)s::text[] is null or s.stream_id = any (array(
            select distinct e.stream_id
            from backstory.events e
            where (%(actor)s::text is null or e.actor = %(actor)s)
                and (%(types)s::text[] is null or e.type = any (%(types)s)))))
    order by s.recorded_at desc, s.stream_id desc
    limit %(page)s
) s
left join backstory.events first on first.stream_id = s.stream_id and first.version = 1
left join lateral (
    select coalesce(e.occurred_at, e.recorded_at) as occurred_at
    from backstory.events e
    where e.stream_id = s.stream_id and e.type <> all (%(upkeep)s)
    order by e.version desc
    limit 1
) work on true
left join backstory.contents c
    on c.stream_id = s.stream_id
    and c.version = (s.summary #>> '{labels,title,version}')::integer
    and c.part = (s.summary #>> '{labels,title,part}')::integer
left join backstory.contents t
    on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
order by s.recorded_at desc, s.stream_id desc;

-- name: session_glimpses
-- What a list says of sessions beyond their rows, for all of them at once: the text of the title that a fork has from
-- another stream, the first text that a user said, who wrote lately, the newest file focus, the newest texts. A branch
-- is walked from its newest version back; versions only ever fall on the way, so a branch point that was tampered with ends it.
-- The focus is looked for further back than who writes: it holds until the next one. The cost is that of the calls that
-- the session recorded itself, on every branch.
with recursive piece as (
    select s.stream_id as session, s.version as head, s.stream_id, s.version as last_version,
           coalesce(branch_point.version, 1) as first_version, branch_point.resumed_stream, branch_point.resumed_version
    from backstory.streams s
    left join lateral (
        select m.version, m.resumed_stream, m.resumed_version from backstory.branch_points m
        where m.stream_id = s.stream_id and m.version <= s.version order by m.version desc limit 1
    ) branch_point on true
    where s.stream_id = any (%(ids)s)
    union all
    select p.session, p.head, p.resumed_stream, p.resumed_version, coalesce(branch_point.version, 1), branch_point.resumed_stream,
           branch_point.resumed_version
    from piece p
    left join lateral (
        select m.version, m.resumed_stream, m.resumed_version from backstory.branch_points m
        where m.stream_id = p.resumed_stream and m.version <= p.resumed_version order by m.version desc limit 1
    ) branch_point on true
    where p.resumed_stream is not null and p.resumed_version < p.first_version
),
title as (
    select p.session, coalesce(c.bytes, t.bytes) as bytes
    from unnest(%(titled)s::uuid[], %(title_versions)s::integer[], %(title_parts)s::smallint[])
        as named (session, version, part)
    join piece p on p.session = named.session and named.version between p.first_version and p.last_version
    join backstory.contents c on c.stream_id = p.stream_id and c.version = named.version and c.part = named.part
    left join backstory.contents t
        on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
),
asked as (
    select distinct on (p.session) p.session, said.bytes
    from piece p
    cross join lateral (
        select substring(coalesce(c.bytes, t.bytes) from 1 for %(longest)s) as bytes
        from backstory.events e
        join backstory.contents c
            on c.stream_id = e.stream_id and c.version = e.version
            and (c.media_type is null or c.media_type like 'text/%%')
        left join backstory.contents t
            on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
        where e.stream_id = p.stream_id
            and e.version between p.first_version and least(p.last_version, %(first)s)
            and e.type = 'message.added' and position('"role":"user"'::bytea in e.payload) > 0
        order by e.version, c.part
        limit 1
    ) said
    where p.session = any (%(untitled)s)
    order by p.session, p.last_version
),
recent as (
    select p.session, e.stream_id, e.version, e.type,
           coalesce(e.actor, case
               when e.type not in ('message.added', 'tool.called') then null
               when position('"role":"user"'::bytea in e.payload) > 0 then 'user'
               when position('"role":"agent"'::bytea in e.payload) > 0 then 'agent'
           end) as writer
    from piece p
    join backstory.events e
        on e.stream_id = p.stream_id
        and e.version between greatest(p.first_version, p.head - %(newest)s + 1) and p.last_version
),
writers as (
    select named.session, array_agg(named.writer order by named.first) as names
    from (
        select r.session, r.writer, min(r.version) as first
        from recent r
        where r.writer is not null
        group by r.session, r.writer
    ) named
    group by named.session
),
focus as (
    select distinct on (p.session) p.session, newest.payload
    from piece p
    cross join lateral (
        select e.payload
        from backstory.events e
        where e.stream_id = p.stream_id and e.type = 'files.focused'
            and e.version between greatest(p.first_version, p.head - %(focused)s + 1) and p.last_version
        order by e.version desc
        limit 1
    ) newest
    order by p.session, p.last_version desc
),
texts as (
    select ranked.session, array_agg(said.bytes order by ranked.version desc) as texts
    from (
        select r.session, r.stream_id, r.version,
               row_number() over (partition by r.session order by r.version desc) as place
        from recent r
        where r.type in ('message.added', 'tool.called')
            and not exists (select from focus f where f.session = r.session)
    ) ranked
    cross join lateral (
        select substring(coalesce(c.bytes, t.bytes) from 1 for %(longest)s) as bytes
        from backstory.contents c
        left join backstory.contents t
            on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
        where c.stream_id = ranked.stream_id and c.version = ranked.version
            and (c.media_type is null or c.media_type like 'text/%%' or c.media_type = 'application/json')
        order by c.part
        limit 1
    ) said
    where ranked.place <= %(texts)s
    group by ranked.session
)
select s.session, title.bytes, asked.bytes, writers.names, focus.payload, texts.texts, (
    select sum((convert_from(e.payload, 'UTF8')::jsonb ->> 'cost_usd')::float8)
    from backstory.events e
    where e.stream_id = s.session and e.type = 'model.called')
from unnest(%(ids)s::uuid[]) as s (session)
left join title using (session)
left join asked using (session)
left join writers using (session)
left join focus using (session)
left join texts using (session);

-- name: windows
-- A stream's windows.
select name, token_limit, encoding, model, items, tokens
from backstory.windows
where stream_id = %s
order by name;

-- name: active_sessions
-- The open sessions that something was written to after a moment.
select s.stream_id
from backstory.streams s
where s.kind = 'session' and s.recorded_at > %s and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
order by s.stream_id;

-- name: sessions_past_retention
-- The ended sessions of a project whose last event is older than a moment and that still have something to take away,
-- newest first: a fork comes before what it began in.
select s.stream_id, s.recorded_at
from backstory.streams s
where s.kind = 'session' and s.summary #>> '{labels,project}' = %(project)s
    and s.summary #>> '{labels,status}' = 'ended' and s.recorded_at < %(before)s
    and (%(whole)s or exists (
        select 1 from backstory.contents c
        join backstory.events e on e.stream_id = c.stream_id and e.version = c.version
        where c.stream_id = s.stream_id and e.type <> 'content.erased'))
order by s.started_at desc, s.stream_id desc;
