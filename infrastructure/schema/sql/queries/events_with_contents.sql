-- A stream's own events of these versions, once for each of their contents, shared bytes resolved. The fence (offset 0) keeps
-- the planner from joining whole streams: a plan made while the tables were small is kept after they have grown.
select e.stream_id, e.version, e.type, e.payload, e.schema_version, e.recorded_at, e.occurred_at, e.epoch, e.cause,
       e.actor, e.effects, e.chain, e.position, c.part, c.bytes
from backstory.events e
left join lateral (
    select o.part, coalesce(o.bytes, (
        select t.bytes from backstory.contents t
        where t.stream_id = o.stream_id and t.version = o.shared_version and t.part = o.shared_part)) as bytes
    from backstory.contents o
    where o.stream_id = e.stream_id and o.version = e.version
    offset 0
) c on true
where e.stream_id = %s and e.version = any (%s)
order by e.version, c.part;
