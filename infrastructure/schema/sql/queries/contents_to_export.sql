-- A stream's contents in a range of versions, in order: with their bytes as long as those are not too many together,
-- then without. The sizes are known without reading the bytes.
select version, part, media_type, salt, shared_version, shared_part, octet_length(bytes),
       case when sum(octet_length(bytes)) over (order by version, part) <= %s then bytes end
from backstory.contents
where stream_id = %s and version between %s and %s
order by version, part;
