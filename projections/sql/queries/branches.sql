-- name: branch_points
-- A stream's branch points.
select version, resumed_stream, resumed_version
from backstory.branch_points
where stream_id = %s
order by version;

-- name: forks
-- The streams that begin in another, and where. A fork that backtracks to before its own beginning resumes its parent
-- once more, so only the branch point at its first event counts.
select stream_id, resumed_version
from backstory.branch_points
where resumed_stream = %(id)s and stream_id <> %(id)s
    and version = (select min(own.version) from backstory.events own where own.stream_id = branch_points.stream_id)
    and (%(projects)s::text[] is null or exists (
        select 1 from backstory.streams s
        where s.stream_id = branch_points.stream_id and s.summary #>> '{labels,project}' = any (%(projects)s)))
order by stream_id;

-- name: checkpoints
-- A stream's named versions up to one, with the chain there and when it was recorded.
select c.version, c.name, e.chain, e.recorded_at
from backstory.checkpoints c
join backstory.events e using (stream_id, version)
where stream_id = %s and c.version <= %s
order by c.version;

-- name: checkpoint_names
-- A stream's named versions, also those whose event is gone.
select version, name
from backstory.checkpoints
where stream_id = %s;
