-- The consumers of the feed: how far each has come, and how many positions it has still to see.
select t.consumer, max(t.position), greatest(0, coalesce((select max(position) from backstory.events), 0) - max(t.position))
from backstory.tracking t
group by t.consumer
order by t.consumer;
