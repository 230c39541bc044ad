-- A stream's own row.
select stream_id, kind, version, epoch, chain, started_at, recorded_at, summary
from backstory.streams
where stream_id = %s;
