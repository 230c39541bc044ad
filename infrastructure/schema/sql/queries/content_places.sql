-- Where these events of a stream's own have contents.
select version, part
from backstory.contents
where stream_id = %s and version = any (%s);
