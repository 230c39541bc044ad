-- The streams that begin in another, and where. A fork that backtracks to before its own beginning resumes its parent
-- once more, so only the seam at its first event counts.
select stream_id, resumed_version
from backstory.seams
where resumed_stream = %(id)s and stream_id <> %(id)s
    and version = (select min(own.version) from backstory.events own where own.stream_id = seams.stream_id)
order by stream_id;
