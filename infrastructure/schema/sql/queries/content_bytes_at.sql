-- The bytes that are at these places of a stream themselves.
select version, part, bytes
from unnest(%s::integer[], %s::smallint[]) as place (version, part)
join backstory.contents using (version, part)
where stream_id = %s;
