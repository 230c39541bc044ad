-- The salts of the contents of these events of a stream's own: enough to tell whether bytes are the same.
select version, part, salt
from backstory.contents
where stream_id = %s and version = any (%s);
