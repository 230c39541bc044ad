-- The chain at a version of a stream.
select chain
from backstory.events
where stream_id = %s and version = %s;
