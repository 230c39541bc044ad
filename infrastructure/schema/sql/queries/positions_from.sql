-- The places in the feed of a stream's events from a version on.
select version, position
from backstory.events
where stream_id = %s and version >= %s;
