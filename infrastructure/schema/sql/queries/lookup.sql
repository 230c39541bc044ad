-- name: sessions_like
-- Sessions whose ids begin or end with some digits: as a range of ids, and as texts without hyphens. Also those that were
-- purged, so that they can be said to be. Two are enough to see that there are several.
select stream_id
from (
    select stream_id from backstory.streams
    where kind = 'session'
        and (%(projects)s::text[] is null or summary #>> '{labels,project}' = any (%(projects)s))
    union all
    select stream_id from backstory.tombstones where %(projects)s::text[] is null
) known
where stream_id between %(first)s and %(last)s
    or replace(stream_id::text, '-', '') like %(end)s
    or right(stream_id::text, 12) like %(beginning)s
limit 2;

-- name: last_worked_in
-- Sessions before a moment, those with the newest events first, and when somebody last did something there: events of
-- some types do not count. Null where there is nothing else.
select s.stream_id, s.recorded_at, done.at
from backstory.streams s
left join lateral (
    select least(e.occurred_at, e.recorded_at) as at
    from backstory.events e
    where e.stream_id = s.stream_id
        and e.type <> all (%(idle)s)
    order by e.version desc
    limit 1
) done on true
where s.kind = 'session' and (s.recorded_at, s.stream_id) < (%(recorded)s, %(session)s)
    and (%(projects)s::text[] is null or s.summary #>> '{labels,project}' = any (%(projects)s))
order by s.recorded_at desc, s.stream_id desc
limit %(page)s;
