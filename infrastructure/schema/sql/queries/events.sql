-- A stream's own events in a range of versions, oldest first.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, effects, chain,
       position
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version;
