-- Applies a run of a stream's own events to its read models and returns its summary after them: what a backtrack does
-- with the branch that it restores, and a rebuild with every event. Those that do nothing here are passed over.
--
-- Events that do nothing but bring an item are brought together, ahead of the ones between them that only extend, touch
-- or mark: these look at no item but their own, which had to be there before, and add to tallies, in whatever order. Any
-- other verb may look at everything, so an event that has one comes after all before it, and before all after it.
create or replace function backstory.apply_events(
    p_stream uuid, p_first integer, p_last integer, p_summary jsonb
) returns jsonb language plpgsql as $$
declare
    step record;
begin
    for step in
        select array_agg(e.version order by e.version) filter (where e.sort = 'alone') as alone_versions,
               array_agg(e.at order by e.version) filter (where e.sort = 'alone') as alone_times,
               array_agg(e.effects order by e.version) filter (where e.sort = 'alone') as alone_effects,
               array_agg(e.version order by e.version) filter (where e.sort = 'brings') as versions,
               array_agg(e.at order by e.version) filter (where e.sort = 'brings') as times,
               array_agg(e.effects -> 'brings' order by e.version) filter (where e.sort = 'brings') as items,
               array_agg(e.version order by e.version) filter (where e.sort = 'small') as small_versions,
               array_agg(e.at order by e.version) filter (where e.sort = 'small') as small_times,
               array_agg(e.effects order by e.version) filter (where e.sort = 'small') as small_effects
        from (
            select sorted.*, count(*) filter (where sorted.sort = 'alone') over (order by sorted.version) as place
            from (
                select v.version, coalesce(v.occurred_at, v.recorded_at) as at, v.effects::jsonb as effects,
                       case when v.effects::jsonb - 'brings' = '{}' then 'brings'
                            when v.effects::jsonb - '{extends,touches,marks}'::text[] = '{}' then 'small'
                            else 'alone' end as sort
                from backstory.events v
                where v.stream_id = p_stream and v.version between p_first and p_last and v.effects is not null
            ) as sorted
        ) as e
        group by e.place
        order by e.place
    loop
        if step.alone_versions is not null then
            p_summary := backstory.apply_effects(
                p_stream, step.alone_versions[1], step.alone_times[1], step.alone_effects[1], p_summary);
        end if;
        if cardinality(step.versions) < 4 then
            -- Few are brought sooner one by one.
            for k in 1 .. cardinality(step.versions) loop
                p_summary := backstory.bring_item(
                    p_stream, step.versions[k], step.times[k], step.items[k], p_summary);
            end loop;
        elsif step.versions is not null then
            p_summary := backstory.bring_items(p_stream, step.versions, step.times, step.items, p_summary);
        end if;
        for k in 1 .. coalesce(cardinality(step.small_versions), 0) loop
            p_summary := backstory.apply_effects(
                p_stream, step.small_versions[k], step.small_times[k], step.small_effects[k], p_summary);
        end loop;
    end loop;
    return p_summary;
end
$$;
