-- All contents of these events of a stream's own, shared bytes resolved.
select c.version, c.part, coalesce(c.media_type, 'text/plain'), c.salt, coalesce(c.bytes, (
           select t.bytes from backstory.contents t
           where t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part))
from backstory.contents c
where c.stream_id = %s and c.version = any (%s)
order by c.version, c.part;
