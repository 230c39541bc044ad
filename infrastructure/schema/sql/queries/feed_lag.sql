-- How far the feed and each of its consumers have come, the newest event's position, and the age in seconds of the oldest
-- event beyond. The feed itself comes first, without a name; a horizon that a reader noted is no consumer.
select p.consumer, p.position, coalesce((select max(position) from backstory.events), 0),
       coalesce((
           select greatest(0, extract(epoch from clock_timestamp() - e.recorded_at))::float8
           from backstory.events e
           where e.position > p.position
           order by e.position
           limit 1), 0)
from (
    select null as consumer, %s::bigint as position
    union all
    select t.consumer, max(t.position)
    from backstory.tracking t
    where t.consumer <> 'backstory:feed'
    group by t.consumer
) p
order by p.consumer nulls first;
