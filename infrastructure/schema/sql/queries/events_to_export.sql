-- The oldest of a stream's own events in a range of versions: every column that is under the chain, and the chain.
select stream_id, version, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, effects, payload, chain
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version
limit %s;
