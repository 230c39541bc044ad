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
