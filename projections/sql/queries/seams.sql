-- A stream's seams.
select version, resumed_stream, resumed_version
from backstory.seams
where stream_id = %s
order by version;
