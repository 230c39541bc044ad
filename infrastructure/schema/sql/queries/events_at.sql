-- A stream's own events of these versions.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, effects, chain,
       position
from backstory.events
where stream_id = %s and version = any (%s)
order by version;
