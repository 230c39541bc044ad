-- The open sessions that have items whose tier may no longer be right at a minute, with how many of them.
select due.stream_id, count(*)
from (
    select stream_id from backstory.items where cools_from <= %(minute)s
    union all
    select stream_id from backstory.items where warms_until >= %(minute)s
) as due
group by due.stream_id
order by due.stream_id;
