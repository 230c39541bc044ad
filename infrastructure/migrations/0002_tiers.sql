-- When each live item's tier has to be looked at. The functions come after the migrations, so the closed form of the
-- default tier policy stands here once more; until now nobody could choose another one.
alter table backstory.items add column cools_from integer, add column warms_until integer;

update backstory.items i
set cools_from = case
        when i.tier = 'COLD' then null
        when i.importance * boosted.boost < boosted.floor then -2147483648
        else floor((date_part('epoch', i.touched_at)
                    + 172800 * ln(i.importance * boosted.boost / boosted.floor) - 1) / 60)::integer end,
    warms_until = case
        when i.tier <> 'HOT' and i.importance * boosted.boost >= boosted.ceiling
        then floor((date_part('epoch', i.touched_at)
                    + 172800 * ln(i.importance * boosted.boost / boosted.ceiling) + 1) / 60)::integer end
from (
    select o.stream_id, o.item, 1 + 0.1 * ln(1 + o.accesses::float8) as boost,
           case o.tier when 'HOT' then 0.8 else 0.4 end::float8 as floor,
           case o.tier when 'WARM' then 0.8 else 0.4 end::float8 as ceiling
    from backstory.items o
    join backstory.streams s on s.stream_id = o.stream_id
    where o.windows <> '{}' and s.summary #>> '{labels,status}' is distinct from 'ended'
) as boosted
where i.stream_id = boosted.stream_id and i.item = boosted.item;

create index items_cool on backstory.items (cools_from) where cools_from is not null;
create index items_warm on backstory.items (warms_until) where warms_until is not null;
