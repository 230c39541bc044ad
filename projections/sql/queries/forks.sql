-- The streams that begin in another, and where. A fork that backtracks to before its own beginning resumes its parent
-- once more, so only the branch point at its first event counts.
select stream_id, resumed_version
from backstory.branch_points
where resumed_stream = %(id)s and stream_id <> %(id)s
    and version = (select min(own.version) from backstory.events own where own.stream_id = branch_points.stream_id)
order by stream_id;
