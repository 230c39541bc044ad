-- Gives a stream's items from before the times at which their tiers have to be looked at.
update backstory.items i
set cools_from = backstory.cools_from(s.summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier),
    warms_until = backstory.warms_until(s.summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier)
from backstory.streams s
where s.stream_id = %(stream)s and i.stream_id = %(stream)s and i.windows <> '{}';
