-- A stream's own events of these versions, once for each of their contents, twins resolved.
select e.stream_id, e.version, e.type, e.payload, e.schema_version, e.recorded_at, e.occurred_at, e.epoch, e.cause,
       e.actor, e.effects, e.chain, e.position, c.part, coalesce(c.bytes, t.bytes)
from backstory.events e
left join backstory.contents c on c.stream_id = e.stream_id and c.version = e.version
left join backstory.contents t
    on t.stream_id = c.stream_id and t.version = c.twin_version and t.part = c.twin_part
where e.stream_id = %s and e.version = any (%s)
order by e.version, c.part;
