-- All contents of these events of a stream's own, twins resolved.
select c.version, c.part, coalesce(c.media_type, 'text/plain'), c.salt, coalesce(c.bytes, t.bytes)
from backstory.contents c
left join backstory.contents t
    on t.stream_id = c.stream_id and t.version = c.twin_version and t.part = c.twin_part
where c.stream_id = %s and c.version = any (%s)
order by c.version, c.part;
