-- The items of a stream's current branch beyond one, a batch of them.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, cools_from, warms_until
from backstory.items
where stream_id = %s and item > %s
order by item
limit %s;
