-- name: state_bounds
-- A stream's head, its newest snapshot and branch point at or below a version, or below the head where that is null, and whether
-- it has any branch point.
select s.version,
       (select coalesce(max(n.version), 0) from backstory.snapshots n
        where n.stream_id = s.stream_id and n.fold_version = %(fold)s
            and n.version <= coalesce(%(version)s, s.version)),
       (select coalesce(max(m.version), 0) from backstory.branch_points m
        where m.stream_id = s.stream_id and m.version <= coalesce(%(version)s, s.version)),
       exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id)
from backstory.streams s
where s.stream_id = %(stream)s;

-- name: save_snapshot
-- Keeps a state; whether it was kept.
select backstory.save_snapshot(%s, %s::integer, %s::integer, %s);

-- name: first_snapshots
-- The oldest states that are kept of a range of versions; all of them where the limit is null.
select version, state
from backstory.snapshots
where stream_id = %s and fold_version = %s and version > %s and version <= %s
order by version
limit %s;

-- name: last_snapshots
-- The newest states that are kept of a range of versions, newest first; all of them where the limit is null.
select version, state
from backstory.snapshots
where stream_id = %s and fold_version = %s and version > %s and version <= %s
order by version desc
limit %s;

-- name: cold_sessions
-- Open sessions after an id whose newest snapshot of a fold is so far behind, or before their newest branch point, that a read
-- has to fold a long stretch first.
select s.stream_id
from backstory.streams s
left join lateral (
    select coalesce(max(n.version), 0) as version
    from backstory.snapshots n
    where n.stream_id = s.stream_id and n.fold_version = %(fold)s
) as kept on true
where s.kind in ('session', 'project') and s.stream_id > %(after)s
    and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
    and (s.version - kept.version > %(behind)s
         or exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id and m.version > kept.version))
order by s.stream_id
limit %(limit)s;

-- name: cold_sessions_since
-- The same, of the sessions that have events after a position of the feed.
select s.stream_id
from backstory.streams s
left join lateral (
    select coalesce(max(n.version), 0) as version
    from backstory.snapshots n
    where n.stream_id = s.stream_id and n.fold_version = %(fold)s
) as kept on true
where s.kind in ('session', 'project') and s.stream_id > %(after)s
    and s.stream_id in (select e.stream_id from backstory.events e where e.position > %(since)s)
    and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
    and (s.version - kept.version > %(behind)s
         or exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id and m.version > kept.version))
order by s.stream_id
limit %(limit)s;
