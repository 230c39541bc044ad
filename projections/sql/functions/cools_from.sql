-- The minute since 1970 from which an item's score is too low for its tier, unless it is accessed again: the closed form
-- of the tier policy, whose numbers are in the label tier_policy or the default ones, a second early. Null for what cannot
-- fall any lower, and in an ended session, where nobody looks. One expression, since it is evaluated at every write.
create or replace function backstory.cools_from(
    p_labels jsonb, p_importance float8, p_accesses integer, p_touched timestamptz, p_tier text
) returns integer language plpgsql immutable parallel safe as $$
begin
    return case
        when p_tier = 'COLD' or p_labels ->> 'status' = 'ended' then null
        when p_importance * (1 + coalesce((p_labels #>> '{tier_policy,5}')::float8, 0.1) * ln(1 + p_accesses::float8))
             >= case p_tier when 'HOT' then coalesce((p_labels #>> '{tier_policy,2}')::float8, 0.8)
                            else coalesce((p_labels #>> '{tier_policy,3}')::float8, 0.4) end
        then greatest(-2147483648, least(2147483647, floor((
            date_part('epoch', p_touched)
            + coalesce((p_labels #>> '{tier_policy,4}')::float8, 48) * 3600 * ln(
                p_importance
                * (1 + coalesce((p_labels #>> '{tier_policy,5}')::float8, 0.1) * ln(1 + p_accesses::float8))
                / case p_tier when 'HOT' then coalesce((p_labels #>> '{tier_policy,2}')::float8, 0.8)
                              else coalesce((p_labels #>> '{tier_policy,3}')::float8, 0.4) end)
            - 1) / 60)))::integer
        else -2147483648
    end;
end
$$;
