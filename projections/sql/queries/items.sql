-- name: items
-- The items of a stream's current branch.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, trust, quarantined, flags, brought_in, cools_from, warms_until
from backstory.items
where stream_id = %s
order by item;

-- name: items_after
-- The items of a stream's current branch beyond one, a batch of them.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, trust, quarantined, flags, brought_in, cools_from, warms_until
from backstory.items
where stream_id = %s and item > %s
order by item
limit %s;

-- name: items_by_id
-- These items, as far as they are on the stream's current branch.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, trust, quarantined, flags, brought_in, cools_from, warms_until
from backstory.items
where stream_id = %s and item = any (%s)
order by item;

-- name: items_in_tier
-- The items of a stream in one tier that an agent may see: shared ones and its own, none in quarantine. With live, those
-- in a window only.
select item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task,
       item_references, encoding, recounts, origin, trust, quarantined, flags, brought_in, cools_from, warms_until
from backstory.items
where stream_id = %(stream)s and (%(tier)s::text is null or tier = %(tier)s)
    and (not private or agent = %(agent)s)
    and (not %(live)s or windows <> '{}')
    and not quarantined
order by item;

-- name: items_in_quarantine
-- The items of these streams that are in quarantine.
select stream_id, item from backstory.items where stream_id = any (%s) and quarantined;

-- name: events_about_secrets
-- The events of a stream that flag a text for a secret, or clear an item of it.
select version, effects from backstory.events
where stream_id = %s and effects like '%%secret:%%'
order by version;

-- name: project_streams
-- The streams of a project: its memory and its sessions.
select stream_id from backstory.streams where summary #>> '{labels,project}' = %s;

-- name: messages_caused_by
-- The messages of a stream that have one of these events for their cause.
select version, cause from backstory.events
where stream_id = %s and cause = any (%s) and type in ('message.added', 'tool.called');

-- name: flag_counts
-- By flag, the number of items of these streams that have it.
select flag, count(*) from backstory.items, unnest(flags) flag
where stream_id = any (%s) and flags <> '{}'
group by flag
order by flag;

-- name: flagged_items
-- The items of a stream's current branch that raised a suspicion, the newest first.
select item from backstory.items where stream_id = %s and flags <> '{}' order by item desc;

-- name: tier_counts
-- The items of a stream that an agent may see, by tier and by whether they are in a window, and their tokens.
select tier, windows <> '{}', count(*)::integer, sum(tokens)::integer
from backstory.items
where stream_id = %(stream)s and (not private or agent = %(agent)s)
group by 1, 2;

-- name: decisions
-- Decisions of a stream's current branch below a version, the newest first.
select decision
from backstory.decisions
where stream_id = %s and decision < %s
order by decision desc
limit %s;

-- name: due_items
-- Of these streams, the items whose tier may no longer be right at a minute, each with what its tier depends on.
select due.stream_id, due.item, due.importance, due.accesses, due.touched_at, due.tier
from (
    select stream_id, item, importance, accesses, touched_at, tier from backstory.items
    where stream_id = any (%(streams)s) and cools_from <= %(minute)s
    union
    select stream_id, item, importance, accesses, touched_at, tier from backstory.items
    where stream_id = any (%(streams)s) and warms_until >= %(minute)s
) as due
order by due.stream_id, due.item;

-- name: due_streams
-- The open sessions that have items whose tier may no longer be right at a minute, with how many of them.
select due.stream_id, count(*)
from (
    select stream_id from backstory.items where cools_from <= %(minute)s
    union all
    select stream_id from backstory.items where warms_until >= %(minute)s
) as due
group by due.stream_id
order by due.stream_id;

-- name: stream_labels
-- What these streams are listed by.
select stream_id, summary -> 'labels'
from backstory.streams
where stream_id = any (%s);

-- name: project_decisions
-- Decisions that the sessions of a project recorded themselves and that are on their current branches, the newest first,
-- behind one of them.
select d.stream_id, d.item
from backstory.streams s
join backstory.items d on d.stream_id = s.stream_id and d.type = 'decision'
where s.kind = 'session' and s.summary #>> '{labels,project}' = %(project)s
    and (d.brought_in is null or d.brought_in = d.stream_id)
    and (%(session)s::uuid is null or (d.brought_at, d.stream_id, d.item) < (
        select a.brought_at, a.stream_id, a.item from backstory.items a
        where a.stream_id = %(session)s and a.item = %(item)s))
order by d.brought_at desc, d.stream_id desc, d.item desc
limit %(limit)s;
