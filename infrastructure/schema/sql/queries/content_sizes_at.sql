-- How many bytes there are at these places of a stream.
select version, part, octet_length(bytes)
from unnest(%s::integer[], %s::smallint[]) as place (version, part)
join backstory.contents using (version, part)
where stream_id = %s;
