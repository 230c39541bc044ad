-- The door for the events of an exported stream, oldest first, a batch at a time, all in one transaction that
-- finish_import ends. Times, epochs and chain are the export's: the chain is computed here all the same, and must come
-- to p_chain. Only a stream that is not there can be imported. A fork goes on from p_origin_chain, its parent's.
create or replace function backstory.import_events(
    p_stream uuid, p_kind text, p_first integer, p_origin_chain bytea, p_chain bytea,
    p_types text[], p_schemas smallint[], p_recordeds timestamptz[], p_occurreds timestamptz[], p_epochs integer[],
    p_causes integer[], p_actors text[], p_effectses text[], p_payloads bytea[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
#variable_conflict use_variable
declare
    head backstory.streams;
    xid xid8;
    positions bigint[];
    chain bytea;
    chains bytea[] := '{}';
    last_recorded timestamptz;
    n integer := cardinality(p_types);
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
        insert into backstory.streams (stream_id, kind, version, epoch, chain, started_at, recorded_at, summary)
        values (p_stream, p_kind, p_first - 1, 0, coalesce(p_origin_chain, ''), p_recordeds[1], p_recordeds[1],
                '{"labels": {}, "windows": {}}')
        returning * into head;
    end if;
    if p_first <> head.version + 1 then
        raise exception using errcode = 'BS009', message = format('version %s does not follow %s', p_first, head.version);
    end if;
    chain := head.chain;
    last_recorded := head.recorded_at;
    for k in 1 .. n loop
        if p_recordeds[k] < last_recorded then
            raise exception using errcode = 'BS009',
                message = format('version %s was recorded before the one in front of it', p_first + k - 1);
        end if;
        last_recorded := p_recordeds[k];
        chain := backstory.next_chain(
            chain, p_stream, p_first + k - 1, p_types[k], p_schemas[k], p_recordeds[k], p_occurreds[k], p_epochs[k],
            p_causes[k], p_actors[k], p_effectses[k], p_payloads[k]);
        chains := chains || chain;
    end loop;
    if chain is distinct from p_chain then
        raise exception using errcode = 'BS009',
            message = format('versions %s to %s do not match their chain', p_first, p_first + n - 1);
    end if;
    positions := backstory.draw_positions(n);
    insert into backstory.events (
        stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain,
        effects, payload)
    select p_stream, p_first + e.n - 1, e.position, e.type, e.schema_version, e.recorded_at, e.occurred_at, e.epoch,
           e.cause, e.actor, e.chain, e.effects, e.payload
    from unnest(positions, p_types, p_schemas, p_recordeds, p_occurreds, p_epochs, p_causes, p_actors, chains,
                p_effectses, p_payloads) with ordinality
        as e (position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain, effects, payload, n);
    insert into backstory.seams (stream_id, version, resumed_stream, resumed_version)
    select p_stream, p_first + e.n - 1, (e.effects #>> '{resumes,stream}')::uuid,
           (e.effects #>> '{resumes,version}')::integer
    from unnest(p_effectses::jsonb[]) with ordinality as e (effects, n)
    where e.effects ? 'resumes';
    insert into backstory.checkpoints (stream_id, version, name)
    select p_stream, p_first + e.n - 1, e.effects #>> '{marks,name}'
    from unnest(p_effectses::jsonb[]) with ordinality as e (effects, n)
    where e.effects ? 'marks';
    update backstory.streams s
    set version = p_first + n - 1, epoch = p_epochs[n], chain = chain, recorded_at = last_recorded
    where s.stream_id = p_stream;
end
$$;
