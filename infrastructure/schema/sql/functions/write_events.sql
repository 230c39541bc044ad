-- Writes the events of an append that has several: effects in order, chain, and all rows in one statement. Runs of
-- events that do nothing but bring an item, as a conversation's messages do, are brought together.
create or replace function backstory.write_events(
    p_stream uuid, p_first integer, p_recorded timestamptz, p_epoch integer,
    p_types text[], p_schemas smallint[], p_occurreds timestamptz[], p_actors text[], p_causes integer[],
    p_effectses text[], p_payloads bytea[],
    inout chain bytea, inout summary jsonb
) language plpgsql as $$
#variable_conflict use_variable
declare
    effect jsonb;
    positions bigint[] := backstory.draw_positions(cardinality(p_types));
    chains bytea[] := '{}';
    run_versions integer[] := '{}';
    run_items jsonb[] := '{}';
    run_times timestamptz[] := '{}';
begin
    for k in 1 .. cardinality(p_types) loop
        effect := p_effectses[k];
        if effect - 'brings' = '{}' then
            run_versions := run_versions || (p_first + k - 1);
            run_items := run_items || (effect -> 'brings');
            run_times := run_times || coalesce(p_occurreds[k], p_recorded);
        elsif cardinality(run_items) > 0 then
            summary := backstory.bring_items(p_stream, run_versions, run_times, run_items, summary);
            run_versions := '{}';
            run_items := '{}';
            run_times := '{}';
        end if;
        if effect - 'brings' <> '{}' then
            if effect ? 'resumes' then
                raise exception using errcode = '22023', message = 'a backtrack or fork is appended alone';
            end if;
            summary := backstory.apply_effects(
                p_stream, p_first + k - 1, coalesce(p_occurreds[k], p_recorded), effect, summary);
        end if;
        chain := backstory.next_chain(
            chain, p_stream, p_first + k - 1, p_types[k], p_schemas[k], p_recorded, p_occurreds[k],
            p_epoch, p_causes[k], p_actors[k], p_effectses[k], p_payloads[k]);
        chains := chains || chain;
    end loop;
    if cardinality(run_items) > 0 then
        summary := backstory.bring_items(p_stream, run_versions, run_times, run_items, summary);
    end if;
    insert into backstory.events (
        stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain,
        effects, payload)
    select p_stream, p_first + e.n - 1, e.position, e.type, e.schema_version, p_recorded, e.occurred_at, p_epoch,
           e.cause, e.actor, e.chain, e.effects, e.payload
    from unnest(positions, p_types, p_schemas, p_occurreds, p_causes, p_actors, chains, p_effectses, p_payloads) with ordinality
        as e (position, type, schema_version, occurred_at, cause, actor, chain, effects, payload, n);
end
$$;
