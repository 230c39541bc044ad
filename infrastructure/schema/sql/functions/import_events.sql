-- Writes the events of an exported stream, oldest first, a batch at a time, all in one transaction that finish_import
-- ends. p_events holds envelopes as append takes them, each also with recorded (ISO 8601) and epoch. Times, epochs and
-- chain are the export's: the chain is computed here all the same, and must come to p_chain. Only a stream that is not
-- there can be imported. A fork goes on from p_origin_chain, its parent's.
create or replace function backstory.import_events(
    p_stream uuid, p_kind text, p_first integer, p_origin_chain bytea, p_chain bytea, p_events jsonb,
    p_payloads bytea[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
#variable_conflict use_variable
declare
    head backstory.streams;
    xid xid8;
    event record;
    chain bytea;
    chains bytea[] := '{}';
    last_recorded timestamptz;
    last_version integer := p_first + cardinality(p_payloads) - 1;
    last_epoch integer;
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    -- As in append: the transaction's id must exist before a position is drawn.
    xid := pg_current_xact_id();
    select s.* into head from backstory.streams s where s.stream_id = p_stream;
    if found then
        perform backstory.require_import(p_stream);
    else
        if (p_first = 1) <> (p_origin_chain is null) then
            raise exception using errcode = 'BS009', message = 'a stream begins at version 1, or where it was forked';
        end if;
        last_recorded := p_events #>> '{0,recorded}';
        insert into backstory.streams (stream_id, kind, version, epoch, chain, started_at, recorded_at, summary)
        values (p_stream, p_kind, p_first - 1, 0, coalesce(p_origin_chain, ''), last_recorded, last_recorded,
                '{"labels": {}, "windows": {}}')
        returning * into head;
    end if;
    if p_first <> head.version + 1 then
        raise exception using errcode = 'BS009', message = format('version %s does not follow %s', p_first, head.version);
    end if;
    chain := head.chain;
    last_recorded := head.recorded_at;
    for event in
        select p_first + e.n::integer - 1 as version, e.*
        from rows from (
            jsonb_to_recordset(p_events) as (
                type text, schema smallint, recorded timestamptz, occurred timestamptz, epoch integer, cause integer,
                actor text, caller text, effects text),
            unnest(p_payloads)
        ) with ordinality as e (type, schema, recorded, occurred, epoch, cause, actor, caller, effects, payload,
                             n)
    loop
        if event.recorded < last_recorded then
            raise exception using errcode = 'BS009',
                message = format('version %s was recorded before the one in front of it', event.version);
        end if;
        last_recorded := event.recorded;
        last_epoch := event.epoch;
        chain := backstory.next_chain(
            chain, p_stream, event.version, event.type, event.schema, event.recorded, event.occurred, event.epoch,
            event.cause, event.actor, event.caller, event.effects, event.payload);
        chains := chains || chain;
    end loop;
    if chain is distinct from p_chain then
        raise exception using errcode = 'BS009',
            message = format('versions %s to %s do not match their chain', p_first, last_version);
    end if;
    insert into backstory.events (
        stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller,
        chain, effects, payload)
    select p_stream, p_first + e.n - 1, e.position, e.type, e.schema, e.recorded, e.occurred, e.epoch, e.cause, e.actor,
           e.caller, e.chain, e.effects, e.payload
    from rows from (
        jsonb_to_recordset(p_events) as (
            type text, schema smallint, recorded timestamptz, occurred timestamptz, epoch integer, cause integer,
            actor text, caller text, effects text),
        unnest(p_payloads, chains, backstory.draw_positions(cardinality(p_payloads)))
    ) with ordinality
        as e (type, schema, recorded, occurred, epoch, cause, actor, caller, effects, payload, chain, position,
              n);
    insert into backstory.branch_points (stream_id, version, resumed_stream, resumed_version)
    select p_stream, e.version, (e.effects::jsonb #>> '{resumes,stream}')::uuid,
           (e.effects::jsonb #>> '{resumes,version}')::integer
    from backstory.events e
    where e.stream_id = p_stream and e.version between p_first and last_version and e.effects::jsonb ? 'resumes';
    insert into backstory.checkpoints (stream_id, version, name)
    select p_stream, e.version, e.effects::jsonb #>> '{marks,name}'
    from backstory.events e
    where e.stream_id = p_stream and e.version between p_first and last_version and e.effects::jsonb ? 'marks';
    update backstory.streams s
    set version = last_version, epoch = last_epoch, chain = chain, recorded_at = last_recorded
    where s.stream_id = p_stream;
end
$$;
