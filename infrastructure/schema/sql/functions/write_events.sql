-- Writes the events of an append that has several: effects in order, chain, and all rows in one statement. Runs of
-- events that do nothing but bring an item, as a conversation's messages do, are brought together.
create or replace function backstory.write_events(
    p_stream uuid, p_first integer, p_recorded timestamptz, p_epoch integer, p_events jsonb, p_payloads bytea[],
    inout chain bytea, inout summary jsonb
) language plpgsql as $$
#variable_conflict use_variable
declare
    event record;
    chains bytea[] := '{}';
    run_versions integer[] := '{}';
    run_items jsonb[] := '{}';
    run_times timestamptz[] := '{}';
begin
    for event in
        select p_first + e.n::integer - 1 as version, e.effects::jsonb as effect, e.*
        from rows from (
            jsonb_to_recordset(p_events)
                as (type text, schema smallint, occurred timestamptz, cause integer, actor text, caller text,
                    effects text),
            unnest(p_payloads)
        ) with ordinality as e (type, schema, occurred, cause, actor, caller, effects, payload, n)
    loop
        if event.effect - 'brings' = '{}' then
            run_versions := run_versions || event.version;
            run_items := run_items || (event.effect -> 'brings');
            run_times := run_times || coalesce(event.occurred, p_recorded);
        elsif cardinality(run_items) > 0 then
            summary := backstory.bring_items(p_stream, run_versions, run_times, run_items, summary);
            run_versions := '{}';
            run_items := '{}';
            run_times := '{}';
        end if;
        if event.effect - 'brings' <> '{}' then
            if event.effect ? 'resumes' then
                raise exception using errcode = '22023', message = 'a backtrack or fork is appended alone';
            end if;
            summary := backstory.apply_effects(
                p_stream, event.version, coalesce(event.occurred, p_recorded), event.effect, summary);
        end if;
        chain := backstory.next_chain(
            chain, p_stream, event.version, event.type, event.schema, p_recorded, event.occurred, p_epoch, event.cause,
            event.actor, event.caller, event.effects, event.payload);
        chains := chains || chain;
    end loop;
    if cardinality(run_items) > 0 then
        summary := backstory.bring_items(p_stream, run_versions, run_times, run_items, summary);
    end if;
    insert into backstory.events (
        stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller,
        chain, effects, payload)
    select p_stream, p_first + e.n - 1, e.position, e.type, e.schema, p_recorded, e.occurred, p_epoch, e.cause, e.actor,
           e.caller, e.chain, e.effects, e.payload
    from rows from (
        jsonb_to_recordset(p_events)
            as (type text, schema smallint, occurred timestamptz, cause integer, actor text, caller text,
                    effects text),
        unnest(p_payloads, chains, backstory.draw_positions(cardinality(p_payloads)))
    ) with ordinality as e (type, schema, occurred, cause, actor, caller, effects, payload, chain, position, n);
end
$$;
