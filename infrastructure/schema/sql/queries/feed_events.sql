-- Events of all streams in a range of positions, whole, with the project that each one's session belongs to now: of some
-- types or of all, of one project or of any.
select e.stream_id, e.version, e.type, e.payload, e.schema_version, e.recorded_at, e.occurred_at, e.epoch, e.cause,
       e.actor, e.effects, e.position, s.summary #>> '{labels,project}'
from backstory.events e
left join backstory.streams s on s.stream_id = e.stream_id
where e.position > %(after)s and e.position <= %(upto)s
    and (%(types)s::text[] is null or e.type = any (%(types)s))
    and (%(project)s::text is null or s.summary #>> '{labels,project}' = %(project)s)
order by e.position
limit %(limit)s;
