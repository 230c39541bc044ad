-- The bytes at these places of a stream, twins resolved.
select c.version, c.part, coalesce(c.bytes, t.bytes)
from unnest(%s::integer[], %s::smallint[]) as wanted (version, part)
join backstory.contents c
    on c.stream_id = %s and c.version = wanted.version and c.part = wanted.part
left join backstory.contents t
    on t.stream_id = c.stream_id and t.version = c.twin_version and t.part = c.twin_part;
