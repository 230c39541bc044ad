-- The minute since 1970 up to which an item's score is too high for its tier: after an access that has lifted it, until it
-- has fallen again. The closed form of the tier policy, as in cools_from, a second late. Null where it is not too high.
create or replace function backstory.warms_until(
    p_labels jsonb, p_importance float8, p_accesses integer, p_touched timestamptz, p_tier text
) returns integer language plpgsql immutable parallel safe as $$
begin
    return case
        when p_tier = 'HOT' or p_labels ->> 'status' = 'ended' then null
        when p_importance * (1 + (backstory.tier_policy(p_labels) ->> 5)::float8 * ln(1 + p_accesses::float8))
             >= case p_tier when 'WARM' then (backstory.tier_policy(p_labels) ->> 2)::float8
                            else (backstory.tier_policy(p_labels) ->> 3)::float8 end
        then greatest(-2147483648, least(2147483647, floor((
            date_part('epoch', p_touched)
            + (backstory.tier_policy(p_labels) ->> 4)::float8 * 3600 * ln(
                p_importance
                * (1 + (backstory.tier_policy(p_labels) ->> 5)::float8 * ln(1 + p_accesses::float8))
                / case p_tier when 'WARM' then (backstory.tier_policy(p_labels) ->> 2)::float8
                              else (backstory.tier_policy(p_labels) ->> 3)::float8 end)
            + 1) / 60)))::integer
    end;
end
$$;
