-- The minute since 1970 from which an item's score is too low for its tier, unless it is accessed again: the closed form
-- of the tier policy, a second early. Null for what cannot fall any lower, and in an ended session, where nobody looks.
-- One expression, since it is evaluated at every write.
create or replace function backstory.cools_from(
    p_labels jsonb, p_importance float8, p_accesses integer, p_touched timestamptz, p_tier text
) returns integer language plpgsql immutable parallel safe as $$
begin
    return case
        when p_tier = 'COLD' or p_labels ->> 'status' = 'ended' then null
        when p_importance * (1 + (backstory.tier_policy(p_labels) ->> 5)::float8 * ln(1 + p_accesses::float8))
             >= case p_tier when 'HOT' then (backstory.tier_policy(p_labels) ->> 2)::float8
                            else (backstory.tier_policy(p_labels) ->> 3)::float8 end
        then greatest(-2147483648, least(2147483647, floor((
            date_part('epoch', p_touched)
            + (backstory.tier_policy(p_labels) ->> 4)::float8 * 3600 * ln(
                p_importance
                * (1 + (backstory.tier_policy(p_labels) ->> 5)::float8 * ln(1 + p_accesses::float8))
                / case p_tier when 'HOT' then (backstory.tier_policy(p_labels) ->> 2)::float8
                              else (backstory.tier_policy(p_labels) ->> 3)::float8 end)
            - 1) / 60)))::integer
        else -2147483648
    end;
end
$$;
