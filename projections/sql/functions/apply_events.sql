-- Applies a run of a stream's own events to its read models and returns its summary after them: what a backtrack does
-- with the branch that it restores, and a rebuild with every event. Events that do nothing but bring an item are
-- brought together, as many as stand between two that do more; those that do nothing here are passed over.
create or replace function backstory.apply_events(
    p_stream uuid, p_first integer, p_last integer, p_summary jsonb
) returns jsonb language plpgsql as $$
declare
    step record;
begin
    for step in
        select min(e.version) as version, e.bringing, array_agg(e.version order by e.version) as versions,
               array_agg(e.at order by e.version) as times, array_agg(e.effects order by e.version) as effects
        from (
            select parsed.*, sum(case when parsed.bringing then 0 else 1 end) over (order by parsed.version) as others
            from (
                select v.version, coalesce(v.occurred_at, v.recorded_at) as at, v.effects::jsonb as effects,
                       v.effects::jsonb - 'brings' = '{}' as bringing
                from backstory.events v
                where v.stream_id = p_stream and v.version between p_first and p_last and v.effects is not null
            ) as parsed
        ) as e
        group by e.others, e.bringing
        order by min(e.version)
    loop
        if step.bringing and cardinality(step.versions) < 4 then
            -- Few are brought sooner one by one.
            for k in 1 .. cardinality(step.versions) loop
                p_summary := backstory.bring_item(
                    p_stream, step.versions[k], step.times[k], step.effects[k] -> 'brings', p_summary);
            end loop;
        elsif step.bringing then
            p_summary := backstory.bring_items(
                p_stream, step.versions, step.times,
                array(select effect -> 'brings' from unnest(step.effects) as brought (effect)), p_summary);
        else
            p_summary := backstory.apply_effects(
                p_stream, step.version, step.times[1], step.effects[1], p_summary);
        end if;
    end loop;
    return p_summary;
end
$$;
