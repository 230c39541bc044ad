-- A stream's contents in a range of versions, without their bytes.
select version, part, coalesce(media_type, 'text/plain'), salt, fingerprint, shared_version, shared_part,
       octet_length(bytes)
from backstory.contents
where stream_id = %s and version between %s and %s
order by version, part;
