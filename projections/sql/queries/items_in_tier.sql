-- The items of a stream in one tier that an agent may see: shared ones and its own. With live, those in a window only.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, cools_from, warms_until
from backstory.items
where stream_id = %(stream)s and (%(tier)s::text is null or tier = %(tier)s)
    and (not private or agent = %(agent)s)
    and (not %(live)s or windows <> '{}')
order by item;
