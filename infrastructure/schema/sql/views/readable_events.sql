-- The log for people with psql: payload and effects as JSON where they are.
create or replace view backstory.readable_events as
select stream_id, version, type, actor, caller, recorded_at, coalesce(occurred_at, recorded_at) as occurred_at, epoch, cause,
       case when schema_version > 0 then convert_from(payload, 'UTF8')::json end as payload,
       effects::json as effects, encode(chain, 'hex') as chain, position
from backstory.events;
