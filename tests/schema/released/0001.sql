CREATE SCHEMA backstory;

CREATE FUNCTION backstory.append(p_stream uuid, p_kind text, p_expected integer, p_items integer[], p_since integer, p_epoch integer, p_key text, p_fingerprint bytea, p_type text, p_schema smallint, p_occurred timestamp with time zone, p_actor text, p_cause integer, p_effects text, p_payload bytea, p_part smallint, p_media text, p_salt bytea, p_bytes bytea, p_types text[], p_schemas smallint[], p_occurreds timestamp with time zone[], p_actors text[], p_causes integer[], p_effectses text[], p_payloads bytea[], c_events smallint[], c_parts smallint[], c_medias text[], c_salts bytea[], c_bytes bytea[], p_origin_chain bytea, p_base jsonb) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
#variable_conflict use_variable
declare
    v integer;
    first_version integer;
    head_epoch integer;
    head_chain bytea;
    head_summary jsonb;
    now_recorded timestamptz;
    earlier bigint[];
    effect jsonb;
    xid xid8;
begin
    if not pg_try_advisory_xact_lock(uuid_hash_extended(p_stream, 20260)) then
        perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    end if;
    select s.version + 1, s.version + 1, s.epoch, s.chain, greatest(clock_timestamp(), s.recorded_at), s.summary,
           pg_current_xact_id()
    into v, first_version, head_epoch, head_chain, now_recorded, head_summary, xid
    from backstory.streams s where s.stream_id = p_stream;

    if v is null or p_key is not null or p_items is not null or p_origin_chain is not null or p_types is not null
       or p_expected <> v - 1 or p_epoch <> head_epoch then
        earlier := backstory.earlier_append(p_stream, p_key, p_fingerprint, head_epoch);
        if earlier is not null then
            return earlier;
        end if;
        perform backstory.check_guards(p_stream, v - 1, head_epoch, p_kind, p_expected, p_items, p_since, p_epoch,
                                       p_origin_chain);
        if v is null then
            xid := pg_current_xact_id();
            v := case when p_origin_chain is null then 1 else p_expected + 1 end;
            first_version := v;
            head_chain := coalesce(p_origin_chain, '');
            now_recorded := clock_timestamp();
            head_summary := '{"labels": {}, "windows": {}}';
            insert into backstory.streams (stream_id, kind, version, epoch, chain, started_at, recorded_at, summary)
            values (p_stream, p_kind, v - 1, 0, head_chain, now_recorded, now_recorded, head_summary);
        end if;
    end if;

    if p_types is null then
        if p_effects is not null then
            effect := p_effects;
            if effect ? 'resumes' then
                -- A fork begins in epoch 0; a backtrack raises the epoch of the stream it is in.
                head_epoch := coalesce(head_epoch + 1, 0);
                head_summary := backstory.resume_branch(p_stream, v, effect -> 'resumes', p_base);
            end if;
            head_summary := backstory.apply_effects(
                p_stream, v, coalesce(p_occurred, now_recorded), effect, head_summary);
        end if;
        insert into backstory.events (
            stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain,
            effects, payload)
        values (
            p_stream, v, nextval('backstory.positions'), p_type, p_schema, now_recorded, p_occurred,
            coalesce(head_epoch, 0), p_cause, p_actor,
            backstory.next_chain(head_chain, p_stream, v, p_type, p_schema, now_recorded, p_occurred,
                                 coalesce(head_epoch, 0), p_cause, p_actor, p_effects, p_payload),
            p_effects, p_payload)
        returning events.chain into head_chain;
    else
        select w.chain, w.summary into head_chain, head_summary
        from backstory.write_events(
            p_stream, v, now_recorded, coalesce(head_epoch, 0), p_types, p_schemas, p_occurreds, p_actors, p_causes,
            p_effectses, p_payloads, head_chain, head_summary) w;
        v := v + cardinality(p_types) - 1;
    end if;

    if octet_length(p_bytes) <= 1024 then
        insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
        values (p_stream, v, p_part, p_media, p_salt, p_bytes);
    elsif p_bytes is not null then
        perform backstory.store_large_content(p_stream, v, p_part, p_media, p_salt, p_bytes);
    elsif c_bytes is not null then
        perform backstory.store_contents(p_stream, first_version, c_events, c_parts, c_medias, c_salts, c_bytes);
    end if;

    if p_key is not null then
        insert into backstory.appends (stream_id, key, first_version, last_version, fingerprint, proof)
        values (p_stream, p_key, first_version, v, p_fingerprint,
                sha256(head_chain || int4send(first_version) || convert_to(p_key, 'UTF8') || p_fingerprint));
    end if;

    update backstory.streams s
    set version = v, epoch = coalesce(head_epoch, 0), chain = head_chain, recorded_at = now_recorded,
        summary = head_summary
    where s.stream_id = p_stream;
    return array[first_version, v, extract(epoch from now_recorded) * 1000000, coalesce(head_epoch, 0), 0];
end
$$;

CREATE FUNCTION backstory.apply_effects(p_stream uuid, p_version integer, p_at timestamp with time zone, p_effects jsonb, p_summary jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
    verb jsonb;
    ids integer[];
    place text;
begin
    if p_effects ? 'brings' then
        p_summary := backstory.bring_item(p_stream, p_version, p_at, p_effects -> 'brings', p_summary);
        if p_effects - 'brings' = '{}' then
            return p_summary;
        end if;
    end if;

    verb := p_effects -> 'window';
    if verb is not null then
        p_summary := jsonb_set(p_summary, array['windows', verb ->> 'name'], verb - 'name');
    end if;

    verb := p_effects -> 'counts';
    if verb is not null then
        update backstory.items i
        set recounts = coalesce(i.recounts, '{}') || jsonb_build_object(verb ->> 'encoding', counted.value::integer)
        from jsonb_each_text(verb -> 'tokens') as counted (item, value)
        where i.stream_id = p_stream and i.item = counted.item::integer;
    end if;

    if p_effects ? 'window' or p_effects ? 'counts' then
        p_summary := backstory.measure_windows(p_stream, p_summary);
    end if;

    verb := p_effects -> 'extends';
    if verb is not null then
        -- A recount of the shorter item no longer holds, so it grows by the same count until it is counted again.
        update backstory.items i
        set tokens = i.tokens + (verb ->> 'tokens')::integer, changed = p_version,
            recounts = (select jsonb_object_agg(r.key, r.value::integer + (verb ->> 'tokens')::integer)
                        from jsonb_each_text(i.recounts) r)
        where i.stream_id = p_stream and i.item = (verb ->> 'item')::integer;
        for place in
            select unnest(i.windows) from backstory.items i
            where i.stream_id = p_stream and i.item = (verb ->> 'item')::integer
        loop
            p_summary := backstory.use_window(p_summary, place, 0, (verb ->> 'tokens')::integer);
        end loop;
    end if;

    verb := p_effects -> 'revises';
    if verb is not null then
        ids := array[(verb ->> 'item')::integer];
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, -1);
        update backstory.items i
        set tokens = (verb ->> 'tokens')::integer, encoding = verb ->> 'encoding', recounts = null, changed = p_version
        where i.stream_id = p_stream and i.item = ids[1];
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, 1);
    end if;

    for verb in select value from jsonb_array_elements(p_effects -> 'removes') loop
        ids := backstory.integer_array(verb -> 'items');
        place := verb ->> 'window';
        p_summary := backstory.use_windows(p_stream, p_summary, ids, place, -1);
        update backstory.items i
        set windows = case when place is null then '{}' else array_remove(i.windows, place) end, changed = p_version
        where i.stream_id = p_stream and i.item = any (ids)
          and case when place is null then i.windows <> '{}' else place = any (i.windows) end;
    end loop;

    for verb in select value from jsonb_array_elements(p_effects -> 'returns') loop
        place := verb ->> 'window';
        -- A fork does not have the rows of items that had left before it began; they come with the event.
        insert into backstory.items (
            stream_id, item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent,
            private, task, item_references, encoding, recounts, origin)
        select p_stream, (r ->> 0)::integer, r ->> 1, (r ->> 2)::integer, (r ->> 3)::float8, r ->> 4, '{}',
               backstory.moment((r ->> 6)::bigint), backstory.moment((r ->> 7)::bigint), (r ->> 8)::integer,
               (r ->> 9)::integer, r ->> 12, (r ->> 13)::boolean, r ->> 14,
               nullif(backstory.integer_array(r -> 15), '{}'), r ->> 16, nullif(r -> 17, 'null'),
               (verb ->> 'origin')::uuid
        from jsonb_array_elements(verb -> 'rows') r
        on conflict do nothing;
        select array_agg(i.item) into ids from backstory.items i
        where i.stream_id = p_stream and i.item = any (backstory.integer_array(verb -> 'items'))
          and not place = any (i.windows);
        update backstory.items i set windows = i.windows || place, changed = p_version
        where i.stream_id = p_stream and i.item = any (ids);
        p_summary := backstory.use_windows(p_stream, p_summary, ids, place, 1);
    end loop;

    verb := p_effects -> 'touches';
    if verb is not null then
        update backstory.items i set accesses = i.accesses + 1, touched_at = greatest(i.touched_at, p_at)
        where i.stream_id = p_stream and i.item = any (backstory.integer_array(verb));
    end if;

    verb := p_effects -> 'tiers';
    if verb is not null then
        update backstory.items i set tier = assigned.tier
        from jsonb_each(verb) as assigned (tier, items)
        where i.stream_id = p_stream and i.item = any (backstory.integer_array(assigned.items));
    end if;

    if p_effects ? 'labels' then
        p_summary := backstory.set_labels(p_summary, p_version, p_effects -> 'labels');
    end if;

    verb := p_effects -> 'marks';
    if verb is not null then
        insert into backstory.checkpoints (stream_id, version, name)
        values (p_stream, p_version, verb ->> 'name') on conflict do nothing;
    end if;

    return p_summary;
end
$$;

CREATE FUNCTION backstory.branch_of(p_stream uuid, p_version integer) RETURNS TABLE(first_version integer, last_version integer)
    LANGUAGE sql STABLE
    AS $$
    with recursive piece as (
        select p_version as last_version, seam.*
        from (select 1) as one
        left join lateral (
            select s.version, s.resumed_stream, s.resumed_version from backstory.seams s
            where s.stream_id = p_stream and s.version <= p_version order by s.version desc limit 1
        ) seam on true
        union all
        select p.resumed_version, seam.*
        from piece p
        left join lateral (
            select s.version, s.resumed_stream, s.resumed_version from backstory.seams s
            where s.stream_id = p_stream and s.version <= p.resumed_version order by s.version desc limit 1
        ) seam on true
        where p.resumed_stream = p_stream
    )
    select coalesce(version, 1), last_version from piece order by last_version
$$;

CREATE FUNCTION backstory.bring_item(p_stream uuid, p_version integer, p_at timestamp with time zone, p_item jsonb, p_summary jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
    counted jsonb;
begin
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed)
    values (
        p_stream, p_version, p_item ->> 'type', (p_item -> 'tokens')::integer, p_item ->> 'encoding',
        p_item -> 'recounts', (p_item -> 'importance')::float8, p_item ->> 'tier',
        case when p_item ? 'windows' then backstory.text_array(p_item -> 'windows') else '{main}' end,
        p_item ->> 'agent', p_item ? 'private', p_item ->> 'task',
        case when p_item ? 'references' then backstory.integer_array(p_item -> 'references') end,
        p_at, p_at, 0, p_version)
    returning
        case when not p_item ?| '{windows,recounts}' and p_summary ? 'items:main'
                  and p_summary #>> '{labels,status}' = 'open' then
            p_summary || jsonb_build_object(
                'type:' || type, coalesce((p_summary -> ('type:' || type))::integer, 0) + 1,
                'items:main', (p_summary -> 'items:main')::integer + 1,
                'tokens:main', (p_summary -> 'tokens:main')::bigint + tokens)
        end
    into counted;
    if counted is not null then
        return counted;
    end if;
    if p_summary #>> '{labels,status}' = 'ended' then
        raise exception using errcode = 'BS006', message = 'the session has ended';
    end if;
    p_summary := p_summary || jsonb_build_object(
        'type:' || (p_item ->> 'type'), coalesce((p_summary -> ('type:' || (p_item ->> 'type')))::integer, 0) + 1);
    return backstory.use_windows(p_stream, p_summary, array[p_version], null, 1);
end
$$;

CREATE FUNCTION backstory.bring_items(p_stream uuid, p_first integer, p_ats timestamp with time zone[], p_items jsonb[], p_summary jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
    brought record;
begin
    if p_summary #>> '{labels,status}' = 'ended' then
        raise exception using errcode = 'BS006', message = 'the session has ended';
    end if;
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed)
    select p_stream, p_first + n - 1, i ->> 'type', (i -> 'tokens')::integer, i ->> 'encoding', i -> 'recounts',
           (i -> 'importance')::float8, i ->> 'tier',
           case when i ? 'windows' then backstory.text_array(i -> 'windows') else '{main}' end,
           i ->> 'agent', i ? 'private', i ->> 'task',
           case when i ? 'references' then backstory.integer_array(i -> 'references') end,
           at, at, 0, p_first + n - 1
    from unnest(p_ats, p_items) with ordinality as new (at, i, n);
    for brought in select i ->> 'type' as type, count(*) as n from unnest(p_items) as new (i) group by 1 loop
        p_summary := p_summary || jsonb_build_object(
            'type:' || brought.type, coalesce((p_summary -> ('type:' || brought.type))::integer, 0) + brought.n);
    end loop;
    return backstory.use_windows(
        p_stream, p_summary, array(select generate_series(p_first, p_first + cardinality(p_items) - 1)), null, 1);
end
$$;

CREATE FUNCTION backstory.check_guards(p_stream uuid, p_head integer, p_head_epoch integer, p_kind text, p_expected integer, p_items integer[], p_since integer, p_epoch integer, p_origin_chain bytea) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_head is null then
        if p_kind is null or exists (select 1 from backstory.tombstones t where t.stream_id = p_stream) then
            raise exception using errcode = 'BS001', message = 'no such stream';
        end if;
        if p_origin_chain is null and p_expected <> 0 then
            raise exception using errcode = 'BS002', message = '0';
        end if;
        return;
    end if;
    if p_expected <> p_head or p_origin_chain is not null then
        raise exception using errcode = 'BS002', message = p_head::text;
    end if;
    if p_epoch <> p_head_epoch then
        raise exception using errcode = 'BS003', message = p_head_epoch::text;
    end if;
    if exists (
        select 1 from unnest(p_items) as guarded (item)
        left join backstory.items i on i.stream_id = p_stream and i.item = guarded.item
        where i.item is null or i.windows = '{}' or i.changed > p_since
    ) then
        raise exception using errcode = 'BS004', message = p_head::text;
    end if;
end
$$;

CREATE FUNCTION backstory.draw_positions(p_count integer) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
declare
    drawn bigint[];
begin
    perform pg_advisory_lock(20261);
    begin
        select array_agg(nextval('backstory.positions')) into drawn from generate_series(1, p_count);
    exception when query_canceled or others then
        perform pg_advisory_unlock(20261);
        raise;
    end;
    perform pg_advisory_unlock(20261);
    return drawn;
end
$$;

CREATE FUNCTION backstory.earlier_append(p_stream uuid, p_key text, p_fingerprint bytea, p_epoch integer) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    earlier record;
begin
    if p_key is null then
        return null;
    end if;
    select a.first_version, a.last_version, a.fingerprint, e.recorded_at into earlier
    from backstory.appends a
    join backstory.events e on e.stream_id = a.stream_id and e.version = a.last_version
    where a.stream_id = p_stream and a.key = p_key;
    if not found then
        return null;
    end if;
    if earlier.fingerprint <> p_fingerprint then
        raise exception using errcode = 'BS005', message = 'key used for another request';
    end if;
    return array[earlier.first_version, earlier.last_version,
                 extract(epoch from earlier.recorded_at) * 1000000, p_epoch, 1];
end
$$;

CREATE FUNCTION backstory.erase_contents(p_stream uuid, p_versions integer[], p_parts smallint[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    erased integer;
begin
    perform set_config('backstory.door', 'erase', true);
    delete from backstory.contents c
    using unnest(p_versions, p_parts) as gone (version, part)
    where c.stream_id = p_stream and c.version = gone.version and c.part = gone.part;
    get diagnostics erased = row_count;
    perform set_config('backstory.door', '', true);
    return erased;
end
$$;

CREATE FUNCTION backstory.integer_array(list jsonb) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select coalesce(array_agg(value::integer order by place), '{}')
    from jsonb_array_elements_text(list) with ordinality as element (value, place)
$$;

CREATE FUNCTION backstory.measure_windows(p_stream uuid, p_summary jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    usage record;
begin
    for usage in
        select w.key as name, count(i.item) as items,
               coalesce(sum(backstory.tokens_in(w.value, i.tokens, i.recounts)), 0) as tokens
        from jsonb_each(p_summary -> 'windows') w
        left join backstory.items i on i.stream_id = p_stream and w.key = any (i.windows)
        group by w.key
    loop
        p_summary := p_summary || jsonb_build_object(
            'items:' || usage.name, usage.items, 'tokens:' || usage.name, usage.tokens);
    end loop;
    return p_summary;
end
$$;

CREATE FUNCTION backstory.moment(p_microseconds bigint) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select 'epoch'::timestamptz + (p_microseconds / 3600000000) * interval '1 hour'
        + (p_microseconds % 3600000000) * interval '1 microsecond'
$$;

CREATE FUNCTION backstory.next_chain(p_chain bytea, p_stream uuid, p_version integer, p_type text, p_schema smallint, p_recorded timestamp with time zone, p_occurred timestamp with time zone, p_epoch integer, p_cause integer, p_actor text, p_effects text, p_payload bytea) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select sha256(p_chain || record_send(row(
        p_stream, p_version, p_type, p_schema, p_recorded, p_occurred, p_epoch, p_cause, p_actor, p_effects,
        p_payload)))
$$;

CREATE FUNCTION backstory.purge(p_stream uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    if exists (select 1 from backstory.seams s where s.resumed_stream = p_stream and s.stream_id <> p_stream) then
        raise exception using errcode = 'BS007', message = 'other sessions begin in this one';
    end if;
    insert into backstory.tombstones (stream_id, version, chain)
    select s.stream_id, s.version, s.chain from backstory.streams s where s.stream_id = p_stream;
    if not found then
        raise exception using errcode = 'BS001', message = 'no such stream';
    end if;
    perform set_config('backstory.door', 'purge', true);
    delete from backstory.contents where stream_id = p_stream;
    delete from backstory.events where stream_id = p_stream;
    delete from backstory.appends where stream_id = p_stream;
    delete from backstory.streams where stream_id = p_stream;
    delete from backstory.snapshots where stream_id = p_stream;
    delete from backstory.items where stream_id = p_stream;
    delete from backstory.seams where stream_id = p_stream;
    delete from backstory.checkpoints where stream_id = p_stream;
    perform set_config('backstory.door', '', true);
end
$$;

CREATE FUNCTION backstory.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if coalesce(current_setting('backstory.door', true), '') = any (tg_argv) then
        return null;
    end if;
    raise exception using errcode = 'BS008',
        message = format('%s is append-only: %s is refused', tg_table_name, lower(tg_op));
end
$$;

CREATE FUNCTION backstory.restore_branch(p_stream uuid, p_version integer, p_base jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
    summary jsonb := coalesce(p_base -> 'summary', '{"labels": {}, "windows": {}}');
    event record;
begin
    delete from backstory.items where stream_id = p_stream;
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed, origin)
    select p_stream, i.item, i.type, i.tokens, i.encoding, i.recounts, i.importance, i.tier, i.windows, i.agent,
           i.private, i.task, i.item_references, i.brought_at, i.touched_at, i.accesses, i.changed, i.origin
    from jsonb_to_recordset(p_base -> 'items') as i (
        item integer, type text, tokens integer, encoding text, recounts jsonb, importance float8, tier text,
        windows text[], agent text, private boolean, task text, item_references integer[],
        brought_at timestamptz, touched_at timestamptz, accesses integer, changed integer, origin uuid);
    for event in
        select e.version, coalesce(e.occurred_at, e.recorded_at) as at, e.effects::jsonb as effects
        from backstory.branch_of(p_stream, p_version) piece
        join backstory.events e on e.stream_id = p_stream
            and e.version between piece.first_version and piece.last_version
        where e.effects is not null
        order by piece.last_version, e.version
    loop
        summary := backstory.apply_effects(p_stream, event.version, event.at, event.effects, summary);
    end loop;
    return summary;
end
$$;

CREATE FUNCTION backstory.resume_branch(p_stream uuid, p_version integer, p_resumes jsonb, p_base jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
begin
    insert into backstory.seams (stream_id, version, resumed_stream, resumed_version)
    values (p_stream, p_version, (p_resumes ->> 'stream')::uuid, (p_resumes ->> 'version')::integer);
    return backstory.restore_branch(
        p_stream,
        case when p_resumes ->> 'stream' = p_stream::text then (p_resumes ->> 'version')::integer end,
        p_base);
end
$$;

CREATE FUNCTION backstory.save_snapshot(p_stream uuid, p_version integer, p_fold_version integer, p_state bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform 1 from backstory.streams s where s.stream_id = p_stream and s.version >= p_version for key share;
    if not found then
        return false;
    end if;
    insert into backstory.snapshots (stream_id, version, fold_version, state)
    values (p_stream, p_version, p_fold_version, p_state) on conflict do nothing;
    return found;
end
$$;

CREATE FUNCTION backstory.set_labels(p_summary jsonb, p_version integer, p_labels jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select jsonb_set(p_summary, '{labels}', ((p_summary -> 'labels') - array(select jsonb_object_keys(p_labels))) || (
        select coalesce(jsonb_object_agg(
            key, case when jsonb_typeof(value) = 'object' then value || jsonb_build_object('version', p_version)
                      else value end) filter (where jsonb_typeof(value) <> 'null'), '{}')
        from jsonb_each(p_labels)))
$$;

CREATE FUNCTION backstory.store_contents(p_stream uuid, p_first integer, c_events smallint[], c_parts smallint[], c_medias text[], c_salts bytea[], c_bytes bytea[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
    select p_stream, p_first + c.event - 1, c.part, c.media, c.salt, c.bytes
    from unnest(c_events, c_parts, c_medias, c_salts, c_bytes) as c (event, part, media, salt, bytes)
    where octet_length(c.bytes) <= 1024;
    for k in 1 .. cardinality(c_bytes) loop
        if octet_length(c_bytes[k]) > 1024 then
            perform backstory.store_large_content(
                p_stream, p_first + c_events[k] - 1, c_parts[k], c_medias[k], c_salts[k], c_bytes[k]);
        end if;
    end loop;
end
$$;

CREATE FUNCTION backstory.store_large_content(p_stream uuid, p_version integer, p_part smallint, p_media text, p_salt bytea, p_bytes bytea) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    print bytea := sha256(p_bytes);
    twin record;
begin
    select c.version, c.part into twin from backstory.contents c
    where c.stream_id = p_stream and c.fingerprint = print and c.bytes = p_bytes limit 1;
    if found then
        insert into backstory.contents (stream_id, version, part, media_type, salt, twin_version, twin_part)
        values (p_stream, p_version, p_part, p_media, p_salt, twin.version, twin.part);
    else
        insert into backstory.contents (stream_id, version, part, media_type, salt, fingerprint, bytes)
        values (p_stream, p_version, p_part, p_media, p_salt, print, p_bytes);
    end if;
end
$$;

CREATE FUNCTION backstory.text_array(list jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select coalesce(array_agg(value order by place), '{}')
    from jsonb_array_elements_text(list) with ordinality as element (value, place)
$$;

CREATE FUNCTION backstory.tokens_in(p_window jsonb, p_tokens integer, p_recounts jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select coalesce((p_recounts ->> coalesce(p_window ->> 'encoding', 'o200k_base'))::integer, p_tokens)
$$;

CREATE FUNCTION backstory.track(p_consumer text, p_position bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_consumer, 20262));
    if exists (select 1 from backstory.tracking t where t.consumer = p_consumer and t.position >= p_position) then
        raise exception using errcode = '23505', message = 'position already tracked';
    end if;
    insert into backstory.tracking (consumer, position) values (p_consumer, p_position);
    delete from backstory.tracking t where t.consumer = p_consumer and t.position < p_position;
end
$$;

CREATE FUNCTION backstory.use_window(p_summary jsonb, p_window text, p_items bigint, p_tokens bigint) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    if not p_summary -> 'windows' ? p_window then
        p_summary := jsonb_set(p_summary, array['windows', p_window], '{}');
    end if;
    return p_summary || jsonb_build_object(
        'items:' || p_window, coalesce((p_summary ->> ('items:' || p_window))::integer, 0) + p_items,
        'tokens:' || p_window, coalesce((p_summary ->> ('tokens:' || p_window))::bigint, 0) + p_tokens);
end
$$;

CREATE FUNCTION backstory.use_windows(p_stream uuid, p_summary jsonb, p_items integer[], p_window text, p_sign integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    usage record;
begin
    for usage in
        select w.name, count(*) as items,
               sum(backstory.tokens_in(p_summary #> array['windows', w.name], i.tokens, i.recounts)) as tokens
        from backstory.items i, unnest(i.windows) as w (name)
        where i.stream_id = p_stream and i.item = any (p_items) and (p_window is null or w.name = p_window)
        group by w.name
    loop
        p_summary := backstory.use_window(p_summary, usage.name, p_sign * usage.items, p_sign * usage.tokens);
    end loop;
    return p_summary;
end
$$;

CREATE FUNCTION backstory.write_events(p_stream uuid, p_first integer, p_recorded timestamp with time zone, p_epoch integer, p_types text[], p_schemas smallint[], p_occurreds timestamp with time zone[], p_actors text[], p_causes integer[], p_effectses text[], p_payloads bytea[], INOUT chain bytea, INOUT summary jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_variable
declare
    effect jsonb;
    positions bigint[] := backstory.draw_positions(cardinality(p_types));
    chains bytea[] := '{}';
    run_items jsonb[] := '{}';
    run_times timestamptz[] := '{}';
begin
    for k in 1 .. cardinality(p_types) loop
        effect := p_effectses[k];
        if effect - 'brings' = '{}' then
            run_items := run_items || (effect -> 'brings');
            run_times := run_times || coalesce(p_occurreds[k], p_recorded);
        elsif cardinality(run_items) > 0 then
            summary := backstory.bring_items(
                p_stream, p_first + k - 1 - cardinality(run_items), run_times, run_items, summary);
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
        summary := backstory.bring_items(
            p_stream, p_first + cardinality(p_types) - cardinality(run_items), run_times, run_items, summary);
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

CREATE TABLE backstory.anchors (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    chain bytea NOT NULL,
    anchored_at timestamp with time zone NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL
);

CREATE TABLE backstory.appends (
    stream_id uuid NOT NULL,
    key text NOT NULL,
    first_version integer NOT NULL,
    last_version integer NOT NULL,
    fingerprint bytea NOT NULL,
    proof bytea NOT NULL
);

CREATE TABLE backstory.checkpoints (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    name text NOT NULL
);

CREATE TABLE backstory.contents (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    part smallint NOT NULL,
    twin_part smallint,
    twin_version integer,
    salt bytea NOT NULL,
    media_type text,
    fingerprint bytea,
    bytes bytea
);

CREATE TABLE backstory.items (
    stream_id uuid NOT NULL,
    brought_at timestamp with time zone NOT NULL,
    touched_at timestamp with time zone NOT NULL,
    importance double precision NOT NULL,
    item integer NOT NULL,
    changed integer NOT NULL,
    tokens integer NOT NULL,
    accesses integer NOT NULL,
    private boolean NOT NULL,
    tier text NOT NULL,
    type text NOT NULL,
    windows text[] NOT NULL,
    encoding text,
    agent text,
    task text,
    item_references integer[],
    recounts jsonb,
    origin uuid
);

CREATE VIEW backstory.decisions AS
 SELECT stream_id,
    item AS decision,
    brought_at AS decided_at,
    agent,
    origin,
    (windows <> '{}'::text[]) AS live
   FROM backstory.items i
  WHERE (type = 'decision'::text);

CREATE TABLE backstory.events (
    stream_id uuid NOT NULL,
    "position" bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    occurred_at timestamp with time zone,
    version integer NOT NULL,
    epoch integer NOT NULL,
    cause integer,
    schema_version smallint NOT NULL,
    type text NOT NULL,
    actor text,
    chain bytea NOT NULL,
    effects text,
    payload bytea NOT NULL
);

CREATE SEQUENCE backstory.positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE VIEW backstory.readable_events AS
 SELECT stream_id,
    version,
    type,
    actor,
    recorded_at,
    COALESCE(occurred_at, recorded_at) AS occurred_at,
    epoch,
    cause,
        CASE
            WHEN (schema_version > 0) THEN (convert_from(payload, 'UTF8'::name))::json
            ELSE NULL::json
        END AS payload,
    (effects)::json AS effects,
    encode(chain, 'hex'::text) AS chain,
    "position"
   FROM backstory.events;

CREATE TABLE backstory.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE backstory.seams (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    resumed_stream uuid NOT NULL,
    resumed_version integer NOT NULL
);

CREATE TABLE backstory.snapshots (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    fold_version integer NOT NULL,
    state bytea NOT NULL
);

CREATE TABLE backstory.streams (
    stream_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    version integer NOT NULL,
    epoch integer NOT NULL,
    kind text NOT NULL,
    chain bytea NOT NULL,
    summary jsonb NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE backstory.tombstones (
    stream_id uuid NOT NULL,
    version integer NOT NULL,
    chain bytea NOT NULL,
    purged_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE backstory.tracking (
    consumer text NOT NULL,
    "position" bigint NOT NULL
);

CREATE VIEW backstory.windows AS
 SELECT s.stream_id,
    w.key AS name,
    ((w.value ->> 'limit'::text))::integer AS token_limit,
    (w.value ->> 'encoding'::text) AS encoding,
    (w.value ->> 'model'::text) AS model,
    ((s.summary ->> ('items:'::text || w.key)))::integer AS items,
    ((s.summary ->> ('tokens:'::text || w.key)))::bigint AS tokens
   FROM backstory.streams s,
    LATERAL jsonb_each((s.summary -> 'windows'::text)) w(key, value);

INSERT INTO backstory.appends VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 'first', 7, 7, '\xc3cebd40dfe3529b0d3dec71a879ec85253fe1f7b1af2354042aa9ef4ca2eb4d', '\xe93ca4c09844f0b3ddba2add915d4ca2d9118dc155f45584ae80c875fb8e033e'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 'second', 8, 8, '\x493dee365807b142de35f6183bc1baa93ed663fb54d39675c568fd224057915b', '\x8089f946c320f5f76aefb517ee4751a5538aa1f232675f60da8db9f28502fc9f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 'together', 35, 36, '\xb122469a354b218ad6e7a019bdf19a177531df87ff073060a70e80992a55d6bc', '\x9be95c40f3fbb4511ba8b1fc332345f46ec194421656c4863b945fd98cb54525'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 'last', 44, 44, '\x45b5d84f6001ed10202091dbfe8e1f63020fd69c113d44e80d7149a5a7a6ea5f', '\x4be9ead60a407a7e4e575e6ed5d918f4c31aaa053697d24e693b25386b075c0e'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 'in the fork', 45, 45, '\x4302bf85e8e5cca67f0ae4d60172e3761800a81bab79499d751414ef3ab4405c', '\x7980ea61c2759c6c815b30c1d55b2858f05265281f0e07f9ae31c6eb255373bc'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 'the end', 56, 56, '\xdf0d7eec6f8bb854e31ddfce97ec529f42ee3477adcbf9a32134afc21fb5157e', '\x0c827b539c2798f116d088521987ad26807be5409cf36f7b270c86c34df289f1');

INSERT INTO backstory.checkpoints VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 18, 'before the decision'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 32, 'a good place'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 49, 'fork''s own'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 55, 'decided');

INSERT INTO backstory.contents VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 1, 0, NULL, NULL, '\x877bc13485ab9f12e47f880092d114d8', NULL, NULL, '\x52696368'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 5, 0, NULL, NULL, '\xd7a63af46aa3c941c12e0d73d7d1c4f7', NULL, NULL, '\x68656c6c6f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 6, 0, NULL, NULL, '\x6992bb2476d17fd3572ae70475fbcd8e', NULL, NULL, '\x626f7468207365652074686973'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 10, 0, NULL, NULL, '\x20cfa92f85c71514ca97c99b3204553b', 'text/x-python', '\xdc9f98270badf38ad50aac171816ea9e6b7cdc06e3566d561e5f32e83912f5a6', '\x416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e2000'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 11, 0, NULL, NULL, '\xf0343e403236ba6a07d5fef613ca0cd9', 'application/json', NULL, '\x7b2261223a20317d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 13, 0, NULL, NULL, '\xc8e7da055b3a9120ae38d3bcd99f4619', 'application/json', NULL, '\x7b2271223a202278227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 14, 0, NULL, NULL, '\x64caaac0bdf0d9d5cc19e1c33f0dbc16', NULL, NULL, '\x666f756e64206974'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 15, 0, NULL, NULL, '\xcc549908320b62a54e69e75d8279e5e7', NULL, '\x5d65c9c874a41e4505e6a1a9cb2442d13af15f1fe0b1b62d887ee449d97a4f87', '\x54686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e2054686520717569636b2062726f776e20666f78206a756d7073206f76657220746865206c617a7920646f672e20'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 16, 0, 0, 15, '\x2360878d29234597f0f0f8c96caa85fb', NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 17, 0, 0, 15, '\xc062493c266ac4ec4e29664aedbeb9f3', NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 19, 0, NULL, NULL, '\x082e5f39c5c8551c6060ead1365ed75e', NULL, NULL, '\x757365205253323536'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 19, 1, NULL, NULL, '\x5ef1bfd0b50f04781e419f01ac65beeb', NULL, NULL, '\x6b65797320617265206469737472696275746564'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 19, 2, NULL, NULL, '\x2b3ec5c39af6689eb43a3244e01233d4', NULL, NULL, '\x4853323536'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 19, 3, NULL, NULL, '\x5c6e8d3d375a60dca51dab08b2c45e67', NULL, NULL, '\x61757468'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 20, 0, NULL, NULL, '\xbecf7b9ddb7e1f25a3015e46935bf13f', NULL, NULL, '\x62652075736566756c'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 21, 0, NULL, NULL, '\x4ba335953edafe68a621cbf926b9426a', NULL, NULL, '\x626520766572792075736566756c'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 22, 0, NULL, NULL, '\x2d739bd1c1986fa3fd8f305b13af9935', NULL, NULL, '\x73746570206f6e65'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 23, 0, NULL, NULL, '\x8ee958f31196446c373e4802c1a457f8', NULL, NULL, '\x776869636820706f72743f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 24, 0, NULL, NULL, '\xaef49fba18fbe1537908623fb31050ef', NULL, NULL, '\x6e6f20646f776e74696d65'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 25, 0, NULL, NULL, '\x992c61d29a6a1ef674dccc08161bce45', NULL, NULL, '\x626f6f6d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 26, 0, NULL, NULL, '\x4a805151b27081c67e4bedde8340ba64', NULL, NULL, '\x7772697465206974'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 26, 1, NULL, NULL, '\x08477cd919b43ea6729afca933423661', NULL, NULL, '\x69742072756e73'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 29, 0, NULL, NULL, '\xfb6ed4a6e3e0b6a4eb7a559f6ba173c5', NULL, NULL, '\x6e6f697365'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 33, 0, NULL, NULL, '\x7f98df058cc3893f38ec73a235c5bd59', NULL, NULL, '\x35343332'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 34, 0, NULL, NULL, '\xc498ff9a243034f1a057f653f8287145', NULL, NULL, '\x616e6f7468657220776179'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 35, 0, NULL, NULL, '\xd839ae90e6c7737bb70111c603344276', NULL, NULL, '\x6f6e65'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 36, 0, NULL, NULL, '\xfc11c00fd65e327616a0607f4d36a8b1', NULL, NULL, '\x74776f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 38, 0, NULL, NULL, '\x5c63a0d4b220dcf045985200143c52cb', NULL, NULL, '\x66757274686572206261636b'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 39, 0, NULL, NULL, '\x63d249d99090d74e63bf15a4bdc170aa', NULL, NULL, '\x6f6e20746865206272616e63682074686174206973206c656674'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 40, 0, NULL, NULL, '\x86a4158fbf5555f1ba86ef3f3f6eb0b9', NULL, NULL, '\x69742077617320626574746572'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 41, 0, NULL, NULL, '\x63112d2e957c8ac3623fefcdbce865f3', NULL, NULL, '\x616674657220746865207265646f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 42, 0, NULL, NULL, '\xf00cf7acc2b02c69823bbc71d8ab9fdc', NULL, NULL, '\x61736b656420746f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 43, 0, NULL, NULL, '\x4c3317d18ed8b610f03966ab2b85c2b5', NULL, NULL, '\x61736b656420746f'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 44, 0, NULL, NULL, '\xd8f875e87d7c1b6782b24fac8a6d5d22', NULL, NULL, '\x526963686572'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 43, 0, NULL, NULL, '\xc494e107bead9c76f0adce8d85b85a1c', NULL, NULL, '\x746f20636f6d70617265'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 43, 1, NULL, NULL, '\xdfab0a996b897de866e58fbfeab753df', NULL, NULL, '\x466f726b'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 45, 0, NULL, NULL, '\xa19dda826ac6d6077d420d6b052972b5', NULL, NULL, '\x696e2074686520666f726b'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 48, 0, 0, 47, '\x996d67383933a6c697ad43a20edab486', NULL, NULL, NULL),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 51, 0, NULL, NULL, '\x177f109080042f22dcb5b6b3dbd06dc8', NULL, NULL, '\x6265666f72652074686520666f726b20626567616e'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 52, 0, NULL, NULL, '\x1e6fdba4ca1183cf19e197060179f980', NULL, NULL, '\x6f6e2074686520706172656e742773206f6c64206272616e6368'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 53, 0, NULL, NULL, '\xebc92b2f8f2c776eec7d94e59ff11285', NULL, NULL, '\x6261636b20746f2074686520666f726b2773206f776e'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 54, 0, NULL, NULL, '\x2351cbe385173120562312f2e3c9e068', NULL, NULL, '\x6b656570206974'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 56, 0, NULL, NULL, '\x4410b981226c8328d978f07335296003', NULL, NULL, '\x74686520656e64'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', 1, 0, NULL, NULL, '\x9c1db1972f8e1e0964af3435124cc7fa', NULL, NULL, '\x456e646564'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 3, 0, NULL, NULL, '\x35e148f444fdb6ff3d416a2ab814a1b2', NULL, NULL, '\x6d6573736167652031'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 47, 0, NULL, NULL, '\xaac831619d5b0191e37458940582f0f1', NULL, '\x03158b79324c0ef21697b746b94e9eca793f6034698e0fb50d37a056ddebab63', '\x416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20416c6c20776f726b20616e64206e6f20706c6179206d616b6573204a61636b20612064756c6c20626f792e20'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', 2, 0, NULL, NULL, '\x6cacf6bd3b367d6954c8dd4037aa3204', NULL, NULL, '\x6f6e65'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 2, 0, NULL, NULL, '\x8ea0f38158ee72edda0fed86d2a14186', NULL, NULL, '\x6d6573736167652030'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 4, 0, NULL, NULL, '\xf9b798811e64f1dd5ed4e0c34699aff0', NULL, NULL, '\x6d6573736167652032'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 6, 0, NULL, NULL, '\x2a342a614a2199cdbdd18b8a740a223f', NULL, NULL, '\x6d6573736167652034');
INSERT INTO backstory.contents VALUES
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 8, 0, NULL, NULL, '\xd7b5f8a89bcaa257f7cfdcf2df96254e', NULL, NULL, '\x6d6573736167652036'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 10, 0, NULL, NULL, '\x86395e523f975970added1e183f96385', NULL, NULL, '\x6d6573736167652038'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 11, 0, NULL, NULL, '\x2c983fc6693f622995b16bf5b5099235', NULL, NULL, '\x6d6573736167652039'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 13, 0, NULL, NULL, '\x38c2f4f2359e6edbaa1e80ef32390d6c', NULL, NULL, '\x6d657373616765203131'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 5, 0, NULL, NULL, '\xf13c97b888928e1416d3cc7e6b3f6f3c', NULL, NULL, '\x6d6573736167652033'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 7, 0, NULL, NULL, '\x9d85b6e3f54e7459d463ecf9415ac8b7', NULL, NULL, '\x6d6573736167652035'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 9, 0, NULL, NULL, '\x6929d379b866115eb5af2472e121ceed', NULL, NULL, '\x6d6573736167652037'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 12, 0, NULL, NULL, '\x8b9841478f68cdf973e2992d4f440ba1', NULL, NULL, '\x6d657373616765203130');

INSERT INTO backstory.events VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 1, '2026-11-16 17:29:58.547151+00', NULL, 1, 0, NULL, 1, 'session.started', NULL, '\x3590da8ffd41ecc4e1d38bbdc0e9b08190f9e4dd3bcb1e2721a37e85ad69c59a', '{"window":{"name":"main","limit":50000},"labels":{"status":"open","title":{"part":0},"tags":["audit","demo"],"project":"P"}}', '\x7b227469746c65223a7b22736861323536223a227256366b674e47514561356c2d7266644472735a625a495757776f5f784e4d7668457565625472732d6259222c2273697a65223a347d2c2274616773223a5b226175646974222c2264656d6f225d2c2270726f6a656374223a2250227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 2, '2026-11-16 17:29:58.581517+00', NULL, 2, 0, NULL, 1, 'agent.joined', NULL, '\x82e45ce7cebba3405747c4b4da16ab7b0a28973c9aa076a335c943ade5a241b5', NULL, '\x7b226e616d65223a22706c616e6e6572222c2276657273696f6e223a2232222c226d6f6465223a22706c616e222c226361706162696c6974696573223a5b2272656164225d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 3, '2026-11-16 17:29:58.613468+00', NULL, 3, 0, NULL, 1, 'tokens.counted', NULL, '\x94cd11d907e88b746c79ef5d839caf50b4045757bac500de6e913a7fc0f1efb2', '{"counts":{"encoding":"cl100k_base","tokens":{}}}', '\x7b22656e636f64696e67223a22636c3130306b5f62617365227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 4, '2026-11-16 17:29:58.613468+00', NULL, 4, 0, NULL, 1, 'window.configured', NULL, '\x26e711894e57440bbc8de6004c55089e9d12e5dd490af3d03c474f3df1b08d34', '{"window":{"name":"review","limit":4000,"encoding":"cl100k_base","model":"m-1"}}', '\x7b2277696e646f77223a22726576696577222c226c696d6974223a343030302c22656e636f64696e67223a22636c3130306b5f62617365222c226d6f64656c223a226d2d31227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 5, '2026-11-16 17:30:00.310566+00', NULL, 5, 0, NULL, 1, 'message.added', NULL, '\x1324d46f23a79c36b2f26c15a9673294cf8aed98672cda89997fb9fc5b28e8f5', '{"brings":{"type":"message","tokens":1,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a224353735a6e7a39715a6b56736d484630514835546365396a423459336a384f744167396b37584676324a55222c2273697a65223a357d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 6, '2026-11-16 17:30:00.97014+00', NULL, 6, 0, NULL, 1, 'message.added', NULL, '\xdc93c0a35d70f396de4ab4c5c9ea72b4690b1669e30705230d50268323d95e3c', '{"brings":{"type":"message","tokens":3,"importance":0.7,"tier":"WARM","recounts":{"cl100k_base":3},"windows":["main","review"],"references":[5]}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a227a4148626e4564514d41797577366750575067386248694845584f7236507077476970542d3158556c7667222c2273697a65223a31337d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 7, '2026-11-16 17:30:00.984148+00', NULL, 7, 0, NULL, 1, 'message.added', NULL, '\x6dc7a828f8a6213a88536c570224fac32f7a7d32fdfa2c4e1b4a49a546b504b4', '{"brings":{"type":"message","tokens":441,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a226d67524754354251614f6e65563551365a53574f4f677577704e5f66394c7334305075712d6870582d3441222c2273697a65223a313736307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 8, '2026-11-16 17:30:00.992575+00', NULL, 8, 0, NULL, 1, 'message.added', NULL, '\xe6a3ab91be9a9ce8ce4de7152efadbda4c872e7d754c0bb7aaa8437643a668e6', '{"brings":{"type":"message","tokens":441,"importance":0.6,"tier":"WARM"}}', '\x7b22726f6c65223a226167656e74222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a227642506f3442557162617669684e324a34662d5335755a682d4148784b675a324462306d31663450516d4d222c2273697a65223a313736307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 9, '2026-11-16 17:30:01.016816+00', NULL, 9, 0, NULL, 1, 'message.added', 'planner', '\xb4373e500c66bc087f92d90c904908b3819edba32ba34c7bfa0c1e736dbb7564', '{"brings":{"type":"message","tokens":441,"importance":0.6,"tier":"WARM","agent":"planner","task":"T-1"}}', '\x7b22726f6c65223a226167656e74222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22326b3668496a474372713774693062694439514e4357546962644f6e49546e7159705975684f6f50614b67222c2273697a65223a313736307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 10, '2026-11-16 17:30:01.029469+00', NULL, 10, 0, NULL, 1, 'item.saved', 'planner', '\x509de650c003b2ef455eeca801e812a7646c28956b9276f6c46b666a6adb5eed', '{"brings":{"type":"code","tokens":442,"importance":0.7,"tier":"WARM","encoding":"cl100k_base","windows":["review"],"agent":"planner","private":true}}', '\x7b227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2268325972614f55593431464b41522d6d35676a30534836535a4350416a7a475f355a317a4d743966496667222c2273697a65223a313736312c226d656469615f74797065223a22746578742f782d707974686f6e227d7d5d2c2270617468223a22612e7079227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 11, '2026-11-16 17:30:01.033499+00', NULL, 11, 0, NULL, 1, 'item.saved', 'planner', '\xb91f71a1e8c0a0b8f7610fa9eeb0ee5c35542741371c55bc0ab34b9e03200cb2', '{"brings":{"type":"note","tokens":6,"importance":0.5,"tier":"WARM","agent":"planner","private":true,"task":"T-1","references":[5,6]}}', '\x7b227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a225532546e35566a6a4e664b55785754676b495a75545948646e686a473943752d734259796858504e353351222c2273697a65223a382c226d656469615f74797065223a226170706c69636174696f6e2f6a736f6e227d2c226b696e64223a226a736f6e227d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 12, '2026-11-16 17:30:01.035035+00', NULL, 12, 0, NULL, 1, 'message.added', NULL, '\xf85e06276a9037de7aeff15ef97ef01294875e2f5f57c67758536377d07d2f07', '{"brings":{"type":"message","tokens":6,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a225271684a746e48715877346a78705a36764d71737265455365674c4e373337486655704a59473231506f41222c2273697a65223a31377d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 13, '2026-11-16 17:30:01.05251+00', NULL, 13, 0, NULL, 1, 'tool.called', NULL, '\x59c35c5d80c9c0bad8610f8497e704a06f79c4814c3699903b112b84fa6eb34c', '{"brings":{"type":"tool_exchange","tokens":7,"importance":0.5,"tier":"WARM"}}', '\x7b22726f6c65223a226167656e74222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2242376d5238734c4e6f7770574f306b363348713861383254553951414d3431536f536476396f36774b764d222c2273697a65223a31302c226d656469615f74797065223a226170706c69636174696f6e2f6a736f6e227d2c226b696e64223a22746f6f6c5f757365222c2263616c6c5f6964223a226331222c226e616d65223a2267726570227d5d2c2263616c6c73223a5b226331225d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 14, '2026-11-16 17:30:01.07291+00', NULL, 14, 0, NULL, 1, 'tool.answered', NULL, '\xce4b3ce6e22e5c6c62669ad87df9c31daffe29120fc59068f71b3ee7479a7fb0', '{"extends":{"item":13,"tokens":2}}', '\x7b22726f6c65223a22746f6f6c222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22536d7a395959677750747332675843583037304763456f596d3031637036354d2d33742d75647a3759774d222c2273697a65223a387d2c226b696e64223a22746f6f6c5f726573756c74222c2263616c6c5f6964223a226331227d5d2c2265786368616e6765223a31332c22616e7377657273223a5b226331225d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 15, '2026-11-16 17:30:01.087614+00', NULL, 15, 0, NULL, 1, 'message.added', NULL, '\x03fa90ea5e407ea9cb8212ca72a38bec61c0e346ae02418e18d8a7b881b8f0d4', '{"brings":{"type":"message","tokens":601,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2271774764433353593661334a324f39744872596d362d626155616576424a48655a4b57545f6e38566c326f222c2273697a65223a323730307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 16, '2026-11-16 17:30:01.096649+00', NULL, 16, 0, NULL, 1, 'message.added', NULL, '\x8a7409c5b0d89e30a7e30eb631c13a1e3b5801a1ddbe931f944970269be621d0', '{"brings":{"type":"message","tokens":601,"importance":0.6,"tier":"WARM"}}', '\x7b22726f6c65223a226167656e74222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22695f454334376e365f3534516553337a7170546238587a5544415365756c6a784d462d797079694c535841222c2273697a65223a323730307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 17, '2026-11-16 17:30:01.09841+00', NULL, 17, 0, NULL, 1, 'message.added', NULL, '\xdf6fca4583ea9b654766677e05a73091d71627434ec1fc73d5e961e147db41f6', '{"brings":{"type":"message","tokens":601,"importance":0.5,"tier":"WARM"}}', '\x7b22726f6c65223a2273797374656d222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2254575a454d695f58554c683138536a64714e4138396c536d58784a6d326d4b4f5849785f46504143445330222c2273697a65223a323730307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 18, '2026-11-16 17:30:01.101924+00', NULL, 18, 0, NULL, 1, 'checkpoint.taken', NULL, '\x16c6b0c564c65183f73614c57e103ee275dccea3cc72857a326691c6f46f645a', '{"marks":{"name":"before the decision"}}', '\x7b226e616d65223a226265666f726520746865206465636973696f6e227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 19, '2026-11-16 17:30:01.120658+00', '2026-05-01 00:00:00+00', 19, 0, 5, 1, 'decision.recorded', NULL, '\xb9d3da6e6e410c359afc6d28bb57a3888849ccb78dbedefaa83328cc15165ca1', '{"brings":{"type":"decision","tokens":9,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a2279686e6231337a55773362646e6935465161646451463376355776537344576c703742345048746a7a4e45222c2273697a65223a397d2c22726174696f6e616c65223a7b22736861323536223a2248703142414a7856755f427377416374722d4832766d543565395a6f2d5a696f33744b2d44797831396b67222c2273697a65223a32302c2270617274223a317d2c22616c7465726e6174697665735f72656a6563746564223a5b7b22736861323536223a2269494c33464a6c4f3147504e71447737357a71765754474e6d73666e714252684c753271466962714f6241222c2273697a65223a352c2270617274223a327d5d2c22696d70616374223a5b7b22736861323536223a226647544778306644674a476473424f526d7669426e723859784d496e7a7954543948366c7470414569396b222c2273697a65223a342c2270617274223a337d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 20, '2026-11-16 17:30:01.133325+00', NULL, 20, 0, NULL, 1, 'goal.set', NULL, '\x612fb9108f6167211d41fab7f17e013f38ead7ce6a6bd5c5d1a99280c59200f6', '{"brings":{"type":"goal","tokens":2,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a223175617a474c4b3653516a624a744f36313658466d52327a716461342d556d3247583661316f59496e4d34222c2273697a65223a397d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 21, '2026-11-16 17:30:01.149358+00', NULL, 21, 0, NULL, 1, 'goal.updated', NULL, '\x650fe768b28ebde05f072084802c2d4d39b9e96319835422dd69c687dbd8a26e', '{"revises":{"item":20,"tokens":3}}', '\x7b22676f616c223a32302c2274657874223a7b22736861323536223a22783775796e753476596449436b51576d6e75627436766a783975365a7574316c3232684d73615031756c55222c2273697a65223a31347d2c22737461747573223a22696e2d70726f6772657373227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 22, '2026-11-16 17:30:01.173145+00', NULL, 22, 0, NULL, 1, 'goal.set', NULL, '\xed7e9ac0ec41c9b301cf5fc45940df110134c535ec3e6432f3df37c9af8aa806', '{"brings":{"type":"goal","tokens":2,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a224e31526b5a304333796e366e45417a5573704b77625634575a34476953564242494f734669387473654449222c2273697a65223a387d2c22706172656e74223a32307d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 23, '2026-11-16 17:30:01.194026+00', NULL, 23, 0, NULL, 1, 'question.asked', NULL, '\x820ad45e1b3388098b0e45e5d34162293901ee4da0727175950e08b186bc904e', '{"brings":{"type":"question","tokens":3,"importance":0.8,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a2238445f314c6e456d4868324c5a786e77346d485139637147586652584d7269376d594769706a5a43454830222c2273697a65223a31317d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 24, '2026-11-16 17:30:01.201123+00', NULL, 24, 0, NULL, 1, 'constraint.added', NULL, '\xbe2ad48d11847c3f2ff57a41fb6dda6ee3e749053af01467e514481601d18898', '{"brings":{"type":"constraint","tokens":2,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a224c705035495654417056666c484973654a6a6b304675655834572d42706b4f57677338705f694f52375a38222c2273697a65223a31317d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 25, '2026-11-16 17:30:01.202832+00', NULL, 25, 0, NULL, 1, 'error.met', NULL, '\xe71cf4cf4eae952eebf1ba824a68d0a5630e99357f26b83a2b626ee8b13ba5a7', '{"brings":{"type":"error","tokens":1,"importance":0.8,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a2276576242584e5f6c66534232465a48644361686b6d585667434c6d454330632d7630485143665136696530222c2273697a65223a347d2c226e616d65223a2256616c75654572726f72227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 26, '2026-11-16 17:30:01.212579+00', NULL, 26, 0, NULL, 1, 'task.started', NULL, '\xc3529f449e8a84284f272c111dbd135e3cf6d3c72fcd98ec5ebba2fec5b84c9a', '{"brings":{"type":"task","tokens":4,"importance":1.0,"tier":"HOT","task":"T-1"}}', '\x7b227461736b223a22542d31222c2274657874223a7b22736861323536223a22654759305a542d53353273584e513962723675795565783267785a564c585a626238444e4e2d4c3468384d222c2273697a65223a387d2c22616363657074616e63655f6372697465726961223a5b7b22736861323536223a224d6b384d4634514e356a33654d69554243534c464d4e6667332d4858575a386d5f4e677753324641766c77222c2273697a65223a372c2270617274223a317d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 27, '2026-11-16 17:30:01.229062+00', NULL, 27, 0, NULL, 1, 'items.touched', NULL, '\x7172d3a6c43d40a3f62d5b0ffebc0d594e003da6246fbcba6090edf4d35be6a6', '{"touches":[5,19]}', '\x7b226974656d73223a5b352c31395d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 29, '2026-11-16 17:30:01.277111+00', NULL, 29, 0, NULL, 1, 'items.removed', NULL, '\xd898cc3ae6cd0acaa49e753531f99cb3ec2317f4f56aa51c190ad8321d0b32f0', '{"removes":[{"items":[5],"disposition":"removed"}]}', '\x7b226974656d73223a5b355d2c22776879223a7b22736861323536223a226d6c444e6b4c704f4e30427a576e696837556c6e744c693954396a6f65475632536c70613943592d667663222c2273697a65223a357d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 31, '2026-11-16 17:30:01.341918+00', NULL, 31, 0, NULL, 1, 'items.removed', NULL, '\x283af1f3968e2505ffc00473f5eddee6db0cb50a26eb1db5e0aa5ef32603eb75', '{"removes":[{"items":[24],"disposition":"removed"}]}', '\x7b226974656d73223a5b32345d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 33, '2026-11-16 17:30:01.373767+00', NULL, 33, 0, NULL, 1, 'question.answered', NULL, '\x0fe542e9018f627c341ee380083e7bdfc1af32ed4803142b92bae1cbbb4e5873', '{"removes":[{"items":[23],"disposition":"answered"}]}', '\x7b227175657374696f6e223a32332c22616e73776572223a7b22736861323536223a223366626174357a376a5f343155705a5a4f4e464f7462784c73456737464d554578694e53316f6962506434222c2273697a65223a347d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 35, '2026-11-16 17:30:01.439393+00', NULL, 35, 1, NULL, 1, 'message.added', NULL, '\xd552f8fa9c24cf0f7a38eab108f5ba337e29efe5e5233962d90ad9d88c9f4c37', '{"brings":{"type":"message","tokens":1,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2279513646615f446355633978637964734e694772366b6a5964455151574b4f4963594d452d6f6571396141222c2273697a65223a337d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 36, '2026-11-16 17:30:01.439393+00', NULL, 36, 1, NULL, 1, 'decision.recorded', NULL, '\xe2576aa948939cabbe3c302dcb0964ddef264231c9e37d0bd9c3ef40cad3ad17', '{"brings":{"type":"decision","tokens":1,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a224546526e77366d67353038424f78763263437579487178504a45676d4f6f534f69614c4e4b424b7a513934222c2273697a65223a337d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 37, '2026-11-16 17:30:01.457673+00', NULL, 37, 1, NULL, 1, 'error.resolved', NULL, '\x04f9cb04257af7c10a8e587778601fed2bc3fa452092d6d2c844b1b4bdbb596a', '{"removes":[{"items":[25],"disposition":"resolved"}]}', '\x7b226974656d223a32357d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 42, '2026-11-16 17:30:01.600751+00', NULL, 42, 3, NULL, 1, 'content.erased', NULL, '\xaa4191a5c5fa188e2cb5a88ef586870da8d542f2da83fe2c102b39da05222f10', NULL, '\x7b226974656d223a31322c22657261736564223a5b5b31322c305d5d2c22776879223a7b22736861323536223a22514f63737a552d654a4262524d6533366a6c367a5231454c707748574939664c5556565972467735506e30222c2273697a65223a387d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 43, '2026-11-16 17:30:01.631325+00', NULL, 43, 3, NULL, 1, 'content.erased', NULL, '\x560dcfd719db26c2831ffa8f43a25434417fb100561fd45696874b7728193a30', NULL, '\x7b226974656d223a382c22657261736564223a5b5b372c305d2c5b382c305d2c5b392c305d5d2c22776879223a7b22736861323536223a2259316e505f68426b7769697a5445662d6352574a73506338317337524835536372492d6a534b5f31524449222c2273697a65223a387d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 45, '2026-11-16 17:30:01.656099+00', NULL, 43, 0, NULL, 1, 'session.forked', NULL, '\x574c63480742490b279f5bbe58814a4ab90c33d5977c44bda22060a0f9ebb632', '{"labels":{"status":"open","title":{"part":1}},"resumes":{"stream":"01a1e568-940a-7a57-81e5-5d572c7f3372","version":42}}', '\x7b22706172656e74223a2230316131653536382d393430612d376135372d383165352d356435373263376633333732222c226174223a34322c22776879223a7b22736861323536223a22623542745354354c493275353330385a4c74566b4b4154664370316c52584d77647a6a4b6b585059586359222c2273697a65223a31307d2c227469746c65223a7b22736861323536223a226468536d5f5071317566467050377636475f6b53355957774c61586e536b562d336f643556465f7a713251222c2273697a65223a342c2270617274223a317d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 47, '2026-11-16 17:30:01.685865+00', NULL, 45, 0, NULL, 1, 'message.added', NULL, '\x51c45fb442f237565858aedbd183b41d9971366d441d94c8cf9879825d59f3a1', '{"brings":{"type":"message","tokens":3,"importance":0.7,"tier":"WARM","recounts":{"cl100k_base":3},"windows":["main","review"]}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22464f535a624e4a62506939394f514858517745535871495f35684d366e316264536a42444b5f3755656249222c2273697a65223a31317d7d5d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 48, '2026-11-16 17:30:01.700487+00', NULL, 46, 0, NULL, 1, 'items.touched', NULL, '\x8874a57125689e9e610e426cddcf82ade276f8c573faa7dd25ea030f8eb48e3d', '{"touches":[45]}', '\x7b226974656d73223a5b34355d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 50, '2026-11-16 17:30:01.708238+00', NULL, 48, 0, NULL, 1, 'message.added', 'critic', '\x9e54a07766a5e65f178acfa5f6b9f396a485321351816612f737f7dc8392f310', '{"brings":{"type":"message","tokens":441,"importance":0.7,"tier":"WARM","agent":"critic"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22747a7a67676252445032784c657850356778634d69767252317270704347776d4a77767362583039617341222c2273697a65223a313736307d7d5d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 53, '2026-11-16 17:30:01.766873+00', NULL, 51, 1, NULL, 1, 'session.backtracked', NULL, '\x4297b86662ecf57651abcd890d716fa844d4fb07a6a9bd928c6f1fe45e05b3b7', '{"labels":{"status":"open"},"resumes":{"stream":"01a1e568-940a-7a57-81e5-5d572c7f3372","version":16}}', '\x7b22746f223a31362c226162616e646f6e6564223a35302c22776879223a7b22736861323536223a2237526169684b41744b567878624a4d59386853576f427150716176596c666a76396f62595459706f634230222c2273697a65223a32317d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 54, '2026-11-16 17:30:01.773618+00', NULL, 52, 1, NULL, 1, 'message.added', NULL, '\x73b8fbd7835a9bafcb41c5da822d1490846cf5ad38f53e677c62a3b49ac63f16', '{"brings":{"type":"message","tokens":5,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22375a7a356c4a6647387441686471766577586142766e45534a5a67533851432d6476796b57445753555245222c2273697a65223a32367d7d5d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 55, '2026-11-16 17:30:01.80075+00', NULL, 53, 2, NULL, 1, 'session.backtracked', NULL, '\x2d667219f779d38d5e37acc023ec668c60a29b4f52fa44aede17501be47568cd', '{"labels":{"status":"open"},"resumes":{"stream":"01a1e568-a024-7433-9e64-3eb4bb988113","version":45}}', '\x7b22746f223a34352c226162616e646f6e6564223a35322c22776879223a7b22736861323536223a2265566638616e327771705776777a69656a7132554e7255626179596d5447386534484c7842764538323930222c2273697a65223a32327d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 56, '2026-11-16 17:30:01.821+00', NULL, 54, 2, NULL, 1, 'decision.recorded', NULL, '\xcd8e245f556444287f0f79938f05b613be2067630fd587fcdad17ca636fc15b5', '{"brings":{"type":"decision","tokens":2,"importance":0.9,"tier":"HOT"}}', '\x7b2274657874223a7b22736861323536223a224c595672496362726f7961465544754d74345848526c5f505439674b492d5563724977615875726b5a5473222c2273697a65223a377d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 58, '2026-11-16 17:30:01.829267+00', NULL, 56, 2, NULL, 1, 'message.added', NULL, '\xa533270a46e92ab21969a6f9efc9b46d64e170f147afc41718a684048cc18518', '{"brings":{"type":"message","tokens":2,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a225f784d416f4e45333955653343466b397a782d6a327a7445565044672d4d70574d34733256484d7a5f6377222c2273697a65223a377d7d5d7d'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', 59, '2026-11-16 17:30:01.841812+00', NULL, 1, 0, NULL, 1, 'session.started', NULL, '\x08176ee9acdd98c12b5b58f10d0f22280d42bff3920e351851f92637f0bf004e', '{"window":{"name":"main"},"labels":{"status":"open","title":{"part":0}}}', '\x7b227469746c65223a7b22736861323536223a224e6e42615f794f7970515676584e4d575f4e632d56756e68422d4d35653742354a37475839584c466d6834222c2273697a65223a357d7d'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', 61, '2026-11-16 17:30:01.861171+00', NULL, 3, 0, NULL, 1, 'session.ended', NULL, '\x0ff250351406b2ed23f1bac0f06fdd224ba6ae359c64cd9f79e40320804040dd', '{"labels":{"status":"ended"}}', '\x7b7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 63, '2026-11-16 17:30:01.875023+00', NULL, 1, 0, NULL, 1, 'session.started', NULL, '\xf270f4144e69129110558df54e3dcf08aa556cd6a3a78966e92e3eecf70d9a5c', '{"window":{"name":"main","limit":100000},"labels":{"status":"open"}}', '\x7b7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 65, '2026-11-16 17:30:01.893156+00', NULL, 3, 0, NULL, 1, 'message.added', NULL, '\xd16ae0a5de6aeabb677cdd6624d9b24a95f5b02a522f2ba5d49781645fa63813', '{"brings":{"type":"message","tokens":3,"importance":0.1,"tier":"COLD"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22594654684c6e7147355071454b34596a31313749637264796e4b74376b326d33444474654d61534f626341222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 67, '2026-11-16 17:30:01.904487+00', NULL, 5, 0, NULL, 1, 'message.added', NULL, '\xeac5d134f5e76f376ce93d40fb0c4263286b7fff8dcbbc8303a7ec454e90560c', '{"brings":{"type":"message","tokens":3,"importance":0.30000000000000004,"tier":"COLD"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a223039534c676142376e6950515366754c64622d766d2d77656f5263667344333651523648557a5362355867222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 69, '2026-11-16 17:30:01.916091+00', NULL, 7, 0, NULL, 1, 'message.added', NULL, '\x3b49f631450501d7bf8e75d76ab626e76f84c4715c9aa99f4a43c796871733c6', '{"brings":{"type":"message","tokens":3,"importance":0.5,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a227876396f4b6979736347554b69704a34594e502d70614444763776555057504235717768395755595f3163222c2273697a65223a397d7d5d7d');
INSERT INTO backstory.events VALUES
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 71, '2026-11-16 17:30:01.930046+00', NULL, 9, 0, NULL, 1, 'message.added', NULL, '\xf526dc291cfba35109c1bb34b8751636f2658254ee4e9ac9d8e01580055abadd', '{"brings":{"type":"message","tokens":3,"importance":0.7000000000000001,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a225663526b647646455a304148385a423551734f6e706b7339794e333958395337352d72746a395877556430222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 74, '2026-11-16 17:30:01.948056+00', NULL, 12, 0, NULL, 1, 'message.added', NULL, '\x236e264d8ab16abc0a3a0b717f4d0d3500fc86d78580ba6fdc6fd259b821021f', '{"brings":{"type":"message","tokens":3,"importance":1.0,"tier":"HOT"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a224c4b5a317543494d72494c7a75486f564c395f5a6f4d304532506466623070356e7a642d44644c624a4667222c2273697a65223a31307d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 28, '2026-11-16 17:30:01.245827+00', NULL, 28, 0, NULL, 1, 'items.removed', NULL, '\x12f7b5530acd39e1f69baa5cffe16b65cada2f399a7f677dc19fb6d093bb474a', '{"removes":[{"items":[6],"disposition":"removed","window":"review"}]}', '\x7b226974656d73223a5b365d2c2277696e646f77223a22726576696577227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 30, '2026-11-16 17:30:01.320501+00', NULL, 30, 0, NULL, 1, 'items.returned', NULL, '\x507b237418010919cd0c3be917d8696061f05a13f53dba134399ce9c27004432', '{"returns":[{"items":[5],"rows":[[5,"message",1,0.7,"WARM",[],1794850200310566,1794850201229062,1,29,[5],"user",null,false,null,[],null,null]],"window":"main"}]}', '\x7b226974656d73223a5b355d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 32, '2026-11-16 17:30:01.357279+00', NULL, 32, 0, NULL, 1, 'checkpoint.taken', NULL, '\x8eeb8c82d0e14f2df7457a5e4cc914a0455b2fa92c325b3c3d7cc76c49a94677', '{"marks":{"name":"a good place"}}', '\x7b226e616d65223a226120676f6f6420706c616365227d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 34, '2026-11-16 17:30:01.401738+00', NULL, 34, 1, NULL, 1, 'session.backtracked', NULL, '\x40a31b234812a8b06537c1b6e07064c61f1d5a8c595b20193cc409c9a22e65d0', '{"labels":{"status":"open"},"resumes":{"stream":"01a1e568-940a-7a57-81e5-5d572c7f3372","version":32}}', '\x7b22746f223a33322c226162616e646f6e6564223a33332c22776879223a7b22736861323536223a224e4e616e6c4271635034455035435a756a54724b51784f79674d635654385f744652425641657274616759222c2273697a65223a31317d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 38, '2026-11-16 17:30:01.491792+00', NULL, 38, 2, NULL, 1, 'session.backtracked', NULL, '\xf30648298c7035bb0c870873d445842674770c0fa552aab7e8063283d60a3a90', '{"labels":{"status":"open"},"resumes":{"stream":"01a1e568-940a-7a57-81e5-5d572c7f3372","version":19}}', '\x7b22746f223a31392c226162616e646f6e6564223a33372c22776879223a7b22736861323536223a22754b67757643474f7a7272574c69386e38737a77343438792d47506d62764b345a555a7976354943665a6b222c2273697a65223a31327d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 39, '2026-11-16 17:30:01.505923+00', NULL, 39, 2, NULL, 1, 'message.added', NULL, '\x1075c0e0e09a63fa1fca9c1ad88220d2e08123346c8fa63a24df97fa38c534f4', '{"brings":{"type":"message","tokens":6,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a226d483834584a495a727a374c377249396b6c6f334b6b33434c71484a4773614c563647734f51456f507134222c2273697a65223a32367d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 40, '2026-11-16 17:30:01.536696+00', NULL, 40, 3, NULL, 1, 'session.backtracked', NULL, '\xeca98f42bcccb9bd5d1ce0622e392b390f097e862d18dd90f60b3a6d9bb68c23', '{"labels":{"status":"open"},"resumes":{"stream":"01a1e568-940a-7a57-81e5-5d572c7f3372","version":37}}', '\x7b22746f223a33372c226162616e646f6e6564223a33392c22776879223a7b22736861323536223a22793964754c2d4f4b792d6e50696475615952744232796a6968523542705753454f5f466a39396864687538222c2273697a65223a31337d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 41, '2026-11-16 17:30:01.553797+00', NULL, 41, 3, NULL, 1, 'message.added', NULL, '\x89f527523501a584676cfb1802059e0c094c48a3d0e52df68506a39471e5f911', '{"brings":{"type":"message","tokens":3,"importance":0.7,"tier":"WARM","encoding":"cl100k_base","recounts":{"o200k_base":3},"windows":["review","main"]}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a225948584d564d44525f6f787945615a6c414477776c4a6a456b70362d41703077696138667a77784b564159222c2273697a65223a31347d7d5d7d'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 44, '2026-11-16 17:30:01.63517+00', NULL, 44, 3, NULL, 1, 'session.renamed', NULL, '\xab5d74f2946b6e341c22f479651fdf74aeccb07924b750995ec88f1817a78c8a', '{"labels":{"title":{"part":0}}}', '\x7b227469746c65223a7b22736861323536223a2262306b3862774b437879346c4a6a7338574b783148785f6a6b75737936743735525155705746444d305538222c2273697a65223a367d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 46, '2026-11-16 17:30:01.68125+00', NULL, 44, 0, NULL, 1, 'window.configured', NULL, '\xca6afe7b8c6ff63911a691820c40ad21ed767ac73aea97465106def130b8af11', '{"window":{"name":"review","limit":8000,"encoding":"cl100k_base","model":"m-2"}}', '\x7b2277696e646f77223a22726576696577222c226c696d6974223a383030302c22656e636f64696e67223a22636c3130306b5f62617365222c226d6f64656c223a226d2d32227d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 49, '2026-11-16 17:30:01.706203+00', NULL, 47, 0, NULL, 1, 'message.added', NULL, '\xf00a1beed95793cc905fe61f6ff1589490bf2ba139067f66e03c55f36ef65e65', '{"brings":{"type":"message","tokens":441,"importance":0.7,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2262764c644f642d476b3571384e396b31336e30576f5758395f77395637584d705167616731666667503851222c2273697a65223a313736307d7d5d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 51, '2026-11-16 17:30:01.71353+00', NULL, 49, 0, NULL, 1, 'checkpoint.taken', NULL, '\x3500fe2c734e7525ee6ab9952ebe1a6b210f31a26cd922cd6db032f2feeabac4', '{"marks":{"name":"fork''s own"}}', '\x7b226e616d65223a22666f726b2773206f776e227d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 52, '2026-11-16 17:30:01.733377+00', NULL, 50, 0, NULL, 1, 'items.removed', NULL, '\xb2b32a79f838a56a7438ab5fff83c441d51ab16c4e32cbf49047f57534ce5d71', '{"removes":[{"items":[45],"disposition":"removed"}]}', '\x7b226974656d73223a5b34355d7d'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 57, '2026-11-16 17:30:01.823561+00', NULL, 55, 2, NULL, 1, 'checkpoint.taken', NULL, '\x1b254a0c876a2b83fc4baa9d4529674db167fff9c80a643fe6b8aab4fcd131ca', '{"marks":{"name":"decided"}}', '\x7b226e616d65223a2264656369646564227d'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', 60, '2026-11-16 17:30:01.849122+00', NULL, 2, 0, NULL, 1, 'message.added', NULL, '\x1362e4120a8778729ae4b411d29c55f2766585705e91c47dc2f9d683267d15cd', '{"brings":{"type":"message","tokens":1,"importance":0.9,"tier":"HOT"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22516869553053344c5053644854354d454171532d30455a70625f745934773339392d764a45744e6b7a494d222c2273697a65223a337d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 64, '2026-11-16 17:30:01.884052+00', NULL, 2, 0, NULL, 1, 'message.added', NULL, '\xcdfdf070c91e9fbf68253cb4e1ced08ceac8485b661c4f0dcb8504a774aaa65a', '{"brings":{"type":"message","tokens":3,"importance":0.0,"tier":"COLD"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a2258596754557969304d7076454a4457786d4641504a50324b59346c703956704770736963636f4931523977222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 66, '2026-11-16 17:30:01.898619+00', NULL, 4, 0, NULL, 1, 'message.added', NULL, '\x668bf3e12fb9174caadee86fa297ee7908c7daa41b9e02a76e0174092e92bce9', '{"brings":{"type":"message","tokens":3,"importance":0.2,"tier":"COLD"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a227878655f554255395068475650495764636a6271634e383373673642696a75724b5a504e51527a476f4a38222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 68, '2026-11-16 17:30:01.907196+00', NULL, 6, 0, NULL, 1, 'message.added', NULL, '\x3e02cf1cc7c24b596a2300379865903750d06ba75daf13baca82181ae2c0236e', '{"brings":{"type":"message","tokens":3,"importance":0.4,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a226337783647457a4f7246304b64576f336f484a7573507a595a6c7154347366454a714152506a6c614d5755222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 70, '2026-11-16 17:30:01.927376+00', NULL, 8, 0, NULL, 1, 'message.added', NULL, '\xc1cd071a773cec2f17edf98c64bf5b8bf3f567ed96200bd9dbd56abf1e60c26a', '{"brings":{"type":"message","tokens":3,"importance":0.6000000000000001,"tier":"WARM"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a226d35355f587052364948424e57634562514969526741745f613058506c6a746943625a375a4c4e556c2d77222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 72, '2026-11-16 17:30:01.941202+00', NULL, 10, 0, NULL, 1, 'message.added', NULL, '\xf2e8e4334c264af649861c2e71be625b745871cb4c970e5da6799701a7baa67a', '{"brings":{"type":"message","tokens":3,"importance":0.8,"tier":"HOT"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a22666a6343366a4a486e5f716470446559784f67474a526f634534706a33534e376b396338427374476a7638222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 73, '2026-11-16 17:30:01.945261+00', NULL, 11, 0, NULL, 1, 'message.added', NULL, '\x87dd6272f0218ba8c722b636133dd17778f3994aea8077093f78474fc5ef9d0d', '{"brings":{"type":"message","tokens":3,"importance":0.9,"tier":"HOT"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a222d71685670576437746f4f4164635438574353314248436b386c797758656132433530493749677777666b222c2273697a65223a397d7d5d7d'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', 75, '2026-11-16 17:30:01.950926+00', NULL, 13, 0, NULL, 1, 'message.added', NULL, '\x20759001b1ef82bd8889c2eb850ba3c5844a21382cfca1e6e00b1142ec78325e', '{"brings":{"type":"message","tokens":3,"importance":0.0,"tier":"COLD"}}', '\x7b22726f6c65223a2275736572222c227061727473223a5b7b22636f6e74656e74223a7b22736861323536223a223034572d354d2d5a59513637764e2d6c74636142414f31744f56516a47527a502d5f6764547851554a7a6b222c2273697a65223a31307d7d5d7d');

INSERT INTO backstory.items VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.133325+00', '2026-11-16 17:30:01.133325+00', 0.9, 20, 21, 3, 0, false, 'HOT', 'goal', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.173145+00', '2026-11-16 17:30:01.173145+00', 0.9, 22, 22, 2, 0, false, 'HOT', 'goal', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.194026+00', '2026-11-16 17:30:01.194026+00', 0.8, 23, 23, 3, 0, false, 'HOT', 'question', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.212579+00', '2026-11-16 17:30:01.212579+00', 1, 26, 26, 4, 0, false, 'HOT', 'task', '{main}', NULL, NULL, 'T-1', NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:00.984148+00', '2026-11-16 17:30:00.984148+00', 0.7, 7, 7, 441, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:00.992575+00', '2026-11-16 17:30:00.992575+00', 0.6, 8, 8, 441, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.016816+00', '2026-11-16 17:30:01.016816+00', 0.6, 9, 9, 441, 0, false, 'WARM', 'message', '{main}', NULL, 'planner', 'T-1', NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.029469+00', '2026-11-16 17:30:01.029469+00', 0.7, 10, 10, 442, 0, true, 'WARM', 'code', '{review}', 'cl100k_base', 'planner', NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.033499+00', '2026-11-16 17:30:01.033499+00', 0.5, 11, 11, 6, 0, true, 'WARM', 'note', '{main}', NULL, 'planner', 'T-1', '{5,6}', NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.035035+00', '2026-11-16 17:30:01.035035+00', 0.7, 12, 12, 6, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.05251+00', '2026-11-16 17:30:01.05251+00', 0.5, 13, 14, 9, 0, false, 'WARM', 'tool_exchange', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.087614+00', '2026-11-16 17:30:01.087614+00', 0.7, 15, 15, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.096649+00', '2026-11-16 17:30:01.096649+00', 0.6, 16, 16, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.09841+00', '2026-11-16 17:30:01.09841+00', 0.5, 17, 17, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', '2026-11-16 17:30:01.849122+00', '2026-11-16 17:30:01.849122+00', 0.9, 2, 2, 1, 0, false, 'HOT', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-05-01 00:00:00+00', '2026-11-16 17:30:01.229062+00', 0.9, 19, 19, 9, 1, false, 'HOT', 'decision', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:00.97014+00', '2026-11-16 17:30:00.97014+00', 0.7, 6, 28, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, '{5}', '{"cl100k_base": 3}', NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.884052+00', '2026-11-16 17:30:01.884052+00', 0, 2, 2, 3, 0, false, 'COLD', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:00.310566+00', '2026-11-16 17:30:01.229062+00', 0.7, 5, 30, 1, 1, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.201123+00', '2026-11-16 17:30:01.201123+00', 0.9, 24, 31, 2, 0, false, 'HOT', 'constraint', '{}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.439393+00', '2026-11-16 17:30:01.439393+00', 0.7, 35, 35, 1, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.439393+00', '2026-11-16 17:30:01.439393+00', 0.9, 36, 36, 1, 0, false, 'HOT', 'decision', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.202832+00', '2026-11-16 17:30:01.202832+00', 0.8, 25, 37, 1, 0, false, 'HOT', 'error', '{}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:30:01.553797+00', '2026-11-16 17:30:01.553797+00', 0.7, 41, 41, 3, 0, false, 'WARM', 'message', '{review,main}', 'cl100k_base', NULL, NULL, NULL, '{"o200k_base": 3}', NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.898619+00', '2026-11-16 17:30:01.898619+00', 0.2, 4, 4, 3, 0, false, 'COLD', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.907196+00', '2026-11-16 17:30:01.907196+00', 0.4, 6, 6, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.927376+00', '2026-11-16 17:30:01.927376+00', 0.6000000000000001, 8, 8, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.941202+00', '2026-11-16 17:30:01.941202+00', 0.8, 10, 10, 3, 0, false, 'HOT', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.945261+00', '2026-11-16 17:30:01.945261+00', 0.9, 11, 11, 3, 0, false, 'HOT', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.950926+00', '2026-11-16 17:30:01.950926+00', 0, 13, 13, 3, 0, false, 'COLD', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.685865+00', '2026-11-16 17:30:01.685865+00', 0.7, 45, 45, 3, 0, false, 'WARM', 'message', '{main,review}', NULL, NULL, NULL, NULL, '{"cl100k_base": 3}', NULL),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.821+00', '2026-11-16 17:30:01.821+00', 0.9, 54, 54, 2, 0, false, 'HOT', 'decision', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:00.310566+00', '2026-11-16 17:30:01.229062+00', 0.7, 5, 30, 1, 1, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:00.97014+00', '2026-11-16 17:30:00.97014+00', 0.7, 6, 28, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, '{5}', '{"cl100k_base": 3}', '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:00.984148+00', '2026-11-16 17:30:00.984148+00', 0.7, 7, 7, 441, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:00.992575+00', '2026-11-16 17:30:00.992575+00', 0.6, 8, 8, 441, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.016816+00', '2026-11-16 17:30:01.016816+00', 0.6, 9, 9, 441, 0, false, 'WARM', 'message', '{main}', NULL, 'planner', 'T-1', NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.029469+00', '2026-11-16 17:30:01.029469+00', 0.7, 10, 10, 442, 0, true, 'WARM', 'code', '{review}', 'cl100k_base', 'planner', NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.033499+00', '2026-11-16 17:30:01.033499+00', 0.5, 11, 11, 6, 0, true, 'WARM', 'note', '{main}', NULL, 'planner', 'T-1', '{5,6}', NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.035035+00', '2026-11-16 17:30:01.035035+00', 0.7, 12, 12, 6, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.05251+00', '2026-11-16 17:30:01.05251+00', 0.5, 13, 14, 9, 0, false, 'WARM', 'tool_exchange', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.087614+00', '2026-11-16 17:30:01.087614+00', 0.7, 15, 15, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.096649+00', '2026-11-16 17:30:01.096649+00', 0.6, 16, 16, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.09841+00', '2026-11-16 17:30:01.09841+00', 0.5, 17, 17, 601, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-05-01 00:00:00+00', '2026-11-16 17:30:01.229062+00', 0.9, 19, 19, 9, 1, false, 'HOT', 'decision', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.133325+00', '2026-11-16 17:30:01.133325+00', 0.9, 20, 21, 3, 0, false, 'HOT', 'goal', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.173145+00', '2026-11-16 17:30:01.173145+00', 0.9, 22, 22, 2, 0, false, 'HOT', 'goal', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.194026+00', '2026-11-16 17:30:01.194026+00', 0.8, 23, 23, 3, 0, false, 'HOT', 'question', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.212579+00', '2026-11-16 17:30:01.212579+00', 1, 26, 26, 4, 0, false, 'HOT', 'task', '{main}', NULL, NULL, 'T-1', NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.439393+00', '2026-11-16 17:30:01.439393+00', 0.7, 35, 35, 1, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372');
INSERT INTO backstory.items VALUES
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.439393+00', '2026-11-16 17:30:01.439393+00', 0.9, 36, 36, 1, 0, false, 'HOT', 'decision', '{main}', NULL, NULL, NULL, NULL, NULL, '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.553797+00', '2026-11-16 17:30:01.553797+00', 0.7, 41, 41, 3, 0, false, 'WARM', 'message', '{review,main}', 'cl100k_base', NULL, NULL, NULL, '{"o200k_base": 3}', '01a1e568-940a-7a57-81e5-5d572c7f3372'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.829267+00', '2026-11-16 17:30:01.829267+00', 0.7, 56, 56, 2, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.893156+00', '2026-11-16 17:30:01.893156+00', 0.1, 3, 3, 3, 0, false, 'COLD', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.904487+00', '2026-11-16 17:30:01.904487+00', 0.30000000000000004, 5, 5, 3, 0, false, 'COLD', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.916091+00', '2026-11-16 17:30:01.916091+00', 0.5, 7, 7, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.930046+00', '2026-11-16 17:30:01.930046+00', 0.7000000000000001, 9, 9, 3, 0, false, 'WARM', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.948056+00', '2026-11-16 17:30:01.948056+00', 1, 12, 12, 3, 0, false, 'HOT', 'message', '{main}', NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO backstory.schema_migrations VALUES
	(1, '0001_first_schema', '6ae3cea9c68aa7587fab93107cbbadfc07ebce69f6e1a14ac1f34c3b150fe686', '2026-11-16 17:29:58.380745+00'),
	(0, 'objects', '8ab6299cce9715a95e17845120614554eea236fafacc6112840280f37c472196', '2026-11-16 17:29:58.444196+00');

INSERT INTO backstory.seams VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 34, '01a1e568-940a-7a57-81e5-5d572c7f3372', 32),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 38, '01a1e568-940a-7a57-81e5-5d572c7f3372', 19),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 40, '01a1e568-940a-7a57-81e5-5d572c7f3372', 37),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 43, '01a1e568-940a-7a57-81e5-5d572c7f3372', 42),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 51, '01a1e568-940a-7a57-81e5-5d572c7f3372', 16),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 53, '01a1e568-a024-7433-9e64-3eb4bb988113', 45);

INSERT INTO backstory.snapshots VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 34, 1, '\x7801ad56db6ee33610fd173ed30b5e747fdb87027d295a148bf641300c46621c35b2e4eab26910e4df7b86babb7692ed6e1c4ac3e1cce170440ecf0b6bbbc69a134b9890465a3f8876b127cc2e347eb88ba0d8f9b91faa2cbcd73a548cb3afb6698bba6289f638b3e73a7b6089e480314d6773c861ec45be9071e47ba1f431d4d8ac6ef2d59812d21332d41167a569bb83c9baba4104e7d254956d304969ee6cd9b2e48570bb1e12abcfb6c2485774a5a58133e663895805245f316c8e304e99e9f3a283796e4f35db73766eeabf6c0607f61b835956f755e7f04fb66dcd11883169730888b8aabb41e8eaba3cd87fb20753910d86729b15c3fad139d6a66489e2ecefdeb69dcb0ab4595d21a9a6a8301dbab6696875903ad33e4298e647226921630490e564dd1e6ce542b48d4b1b6777267b0466f6486600283a7b72dece0c3ae432abcbfe54419ba63e0f78c8231e73293860a5e25273e97319701972197325b8525c69ae7cae823d4fa73890b42927ef492e5f63b6d6b6dbacad47ae21cf191df339bfe6a44e391c33886025d7dcf3e4aa29ac38c07a0321e716c34aa1c10e3ee253c8971640a6463affe24d7ad2c5ab16418eb8fc2428557f7efefd17e4e987be7efef50b20df7a62667c25ec2b6ce88f098dfd5ad8a70f9b7f13f62d63c4369600258496c20f68cbb99a00451cd2d95f2b224f7a48ec62112b3fc4469d1452c82072db76c49042c55e809dbd5868edc55b852ff406c3573e9d84c5250a03e9ad157110781b8c1891914b18fab10ec4f8b772915a6b9c9e0514254d7a1b054aa95a2d5f2aa1228db338c7a124561baf7326958a45a078d597e5ff78aca0dfc6a139b9b8fa5be961a55129a27722412aafc5abe4353530af195fd3a554b57078af8e29797500f0ac6fdd35b27da1cca3247336be17ccc97c3218dda66efbdca2dab2ab41cc203716b5bad396db6d9666efb7b12f4631d5bd295bcb6f3dbba6b7dc3d6e597c587f6b595f76724c085bc46f5a8ef3037c8ae6a3adff717dadbbd765686f4ec8b2520af178b833ad7de7c35d24f7a23b4df2b2414cf4eb85dd7777f77bdcea4f4595d74fee5e77e535497d2a3b2b705cde1a65664faccad5f624f5c862131e6e5cfa3c743d2a8225ea74c84ce91815fa6e63bb59a69d980ca96444f048c77086400b73e6c2229ae3cc95207281538d5b102c212ffae958b0a2da81631d1bd029cc3cd7b7b146d287828b52ce5f6dfcc1441802cc8beab8f11c8aa9f3a49833e25714053a13331882d20e5413a8db10dbc856b10cd538756b5a48da00e2014479c000bc636c83da0763fcc394bdfdc9b1380c12897363b4efe113706a440be82df7d3665de61d6b3c7cb3be6950830e03111c4e0e68dbe95c5a7067a706348ec24c33a99b82aefde71ada2ed265096e33cd4dc17357db66ccfff981ce43326469b43d94e619c5725466a5698aee79eaded719916f3aa4ce69c471ac3d7bb0d9e3b976341777da40e569970dceafff02f11bbe84'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 38, 1, '\x7801ad56cb6edb3814fd17aee9829444bd76b39b4dd14151a00bc130188a89d5c89247a29a0641febde752efc2c6643141245d9efb24791f7e63bdebacbeb09c09a9a555717ac822a10f8956c921057050a54a02933c86611230ce7edaaeafda86e561ca99bdb6e6ccf280c38cee9c2d592e932c4a959059aaa2442ac959674ddb951b5e206494410e6ab5eedd491bd77688e05aeba6b11d9cd4fac1d63dcbdfc8ae1b40b1f66a1b705ce56a4b8c2bfcb15c6c0292ef60eb2708174c0f65e5205eda4bcb8e9c5dbbf687355060ff30889976689cb77fb17daf9f603123b40481889bd68d846bdbfa647f99b36e4806acd29a6adc3fb9f376702014d06409b484dc8336cfaec38bd690ac9cbd7831af022c24ed7ab834408b42f198273ce5199782435f061c12527119739970991d79317bc0b6e6a8ff8bf23b9af6b395ddef6bcbb96579d93382903ce45124374f80d063041e0bb93c14aef894f0f58941d34398fae34b38617e93dffffafa193bfc5f3f7f7ff98624287082ba6a881a094acd9f957d599185b5233e26b5b7bd3330b2004dc51108114aa162ba5b5f2d00b2045581bb5f81349251ba05b24025c88859420a19a73e3f261b5204591423855689308cb23da044b8b3a1024529b7aaa4492ca32d90c571b4b39121325249129585b198fe8efc8de9ba667933d4f5fbbc10efbc20807fe005b737a4706c37d05b92385fd44c74bcc5a3fb187adf5cf61f147f439d62faaeae66f15960529b97fd6b8f9266ded79d10370d6d6d6d0bb57aba41c1e2a3ae7bcbefbd5d3758ee5ff72436f8bdf8be1de4b801ce56f24634f3260b185278b6ffe85cdbe544e373cf0efa5e2d85783e3de8de4eeeefca1263b6f5b653ccc3f75bf7fc01ec78443f7ea99ab27df11dd957675e28cae38d3a5a702863715cba445e4424b18b02ad93ce30403f546496a6d4c9a00cc832d63e5bbc97f9def3f16018cd52c218121313b8643eaca716b73ea91a87393b2dfe1d6cbf591a30305daa7188c18fedbad68f21d04ef73475c8bd19ba0ee97d22682c4c9a3a976b6d31ab3d0a415ce732d6685948aaf67d71d38828ab61caf7311fa0b68cd50273757376e3b5b1eb99aed8378445f654eb5794e1049a5a77957b9d978fada1615f20a42525e0c6ff4a30676b9eaf2df68ce989df1e23b8769cdf0a99b85e'),
	('01a1e568-940a-7a57-81e5-5d572c7f3372', 40, 1, '\x7801ad574d6fe33610fd2f3cd30b7ee8fbd65b2f458b62811e04c36064c6512d4bae246f1a04f9ef7d435116b56b3749d138b446a3376f862372387e65c3d85b73620513d2481b27d9268f84d9a4264e3719149b781fa7aa4a1fb54e15e3ec9bed87ba6b591109ceecb9ab9e58a139684c3fda3d2b649a47592c649ec5512a63c9596fabaedf07cf9490b14e923ce1ac31c3b833d5d8f588e0dc98b6b53d9c34e6c136032b5e8977bc4062ddd9b67832d66363e9c119fe588118ae01c9373c3607804b662efb7a047c6f4f1ddb7276eebb3f6d0503f61b03acea2eede8f84f7618cc018c125455b72789b3b61b2761ecba6667ffae9e4ceb40c458d55302146787ce34ac80f0d7c50ea34b0bacabae45564dddc21f6e6ddfd3f4208d6638429803402669263e04c8124c0e3dec6ceb62b4bdcb1b670fa63a82b33a02a640508ff6e4ac1d0ca639f96d2ea716dab28c79c2539ef19c635e5272304bcd65cc65c265ca8156822bc595e62ae13ae63ad9f2720e05899bf3f29ee452e6131662d7890b9fdc62be26d5a7f47ab9e6d5272f24ba1a2172c9358f22190c850c24987f22e475e440294272640456e24bca979140a641baf8bb2be949970723e3f28bf0b89cb2f7c74fbfff82d4fdaf979f7ffd0aca7bdfde153d4600787f5874247d48e8edb7da3e7f18fe29ee77c108d2570a258496224e6861bad201459e0a89fa1228b2484648f882c8559c6239cf0a296492b9c5ed39a450799460fd2f08ada37cad8805967e8088554cfb6531c9d24462b52c8a3c49a215478ec8c8244de35c27c2ff0526526bad422f32d5325a295071b10b172f4a6272a19748e7f80488491126512a958b44f1f6d234ffe12b70fe011e72ccb1f66f7c567ae034ea4cf64e4048f1adb095bca92628886f59dcd29554f8a2ed4daa52a10cdc32f23ed86570e7d1fa82f302a59d337f5dec67f80cf066f3edf032a06ab3bb0eb9b7f7ce17de450acec8e5b4bc4a0beed31212fa689ac1f27bdf637fb1dc7ddd437c527fe715b2af1be95314881f9dcf7726f05162c418e13f4ec7f0f6ae8c07771db3aa91421c770f66b0fff24aefdaaf1fcc9e5e57b4857ebbbf58d6049fc26db7e8209eeb76df3dbb1ec255eba28ca978054432e35aa6d83a68e1dc51519411215631e244a6174647af225aead37695695cfb867bb7f89d977999165352197593a46338afd083ee990b8b5a2a0757821a19d40081004e765f5fe6adc3ea768386eed0a37783e76b71f69596120313a59cbd5ad9a3eb6108705fb78795e554929d25c55c512f4751e0666e41a6a0b423d544ea5ec03ab22096a9a6976e4e4b4338914420511138403ff57b932bea0f1d82f6002009a70157c803ce87edbc501737d349413cd5a5ef519676538f39ed037484a77363d1973b35a8b10dae1d2cdd96e8047f38bbd6739ad259eaf080f2e7d10d20f8afbd7689663b584efebd9c9f68c71453f63c76d79817145aafac1ad3d7e3cb7cfbd855f40b8076b233f23ceea743f564abe3b973adb646f73c29b1fa26e3b77f00dc08e620'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 43, 1, '\x7801ad574b6fe33610fe2f3cd30bbef4bcf5d6cb628b62811e04c3a0656ea246965c49de3408f2dffb0d455952d6ce6683c6a1440e67be190e39c3d133eb87ced923cb999056ba284e375628b3498cd69bccc566a3dddeecf7599a4aa91967df5dd7576dc372a33973a7b6bc67b9e080b1dde00e2c974966d248c82c8d4c2223c959e7cab63b2ce6949071148b2ce3acb6fdb0b3e5d076b0e054dba6711d94d476efea9ee5cf843b9cd163edc9359819aaa1763471823e685b19f482797b07ee82d9f3a11ac07f70c7966d393b75eddfae8404fb8381ad6ccfcde0151c5ddfdb3b404a6095ed817a9c35ed307686b6ad77eedff2de369e8910cb6af480e2ecaeb535cbd1f9e7ecfac1fbc5c33470abad9ad142d775b43e4c0cb67f40673200aea4a50413d097e453e2ee77aef136bace3b8eb3bd2d1f80593e804d01a01adcd14b7b36d0b009655b9f8f0da84511f198273ce51997826369527180cb88cb98cb84cb8c434029ae345731d711d7313772cb8bc91af86e72cdcf7ade6bc1674bdeb5ef9633d7902f7e0d5ebdbc2eae0dfe5b022d84264cac4172cd8d918ba6e08e18ce8885bcb40c5c8a3839dcc335e4c4a784cf2d469f1ad1a2576fa2132d5bb494cb4f22f0113d216ffef5db9f9fe1cafff5f5fb97af80bcf50caac6693f801dd8561c4704c2fb3a9dfb5eb9c777b3ff12f67b98837eecb4b71a6687b4a284d05244311d629f6740c812210d0ef94c488d34d88d9990a928c1d19f08120928f5811030a4509989112b3387d606096a498804c26441885444b1358ba4492c7198664216c7668591c13212499228d3b1087f0b11a9b5564b2d32d1d2ac08991188d8598b9258dc528bd1197e0b8e1f0851a4938c8ee70245652256bc39d7f5071e1fc021ed1ce172e5f78a0e4e8d5c95fec42eb8fe9af54a5e255f58817ee9bfcd0983e155b3bdca552824cf3781a0889d7b7fbdad5fb87d70517016de33c8c43e3104b169d83ff5b803d86dad41de038efd1b8b5ddcbcf31d7ce9cd067dac07a5df6cdd3b7eeb397467c7fde316c787e8b716fb752383d3d8dc7defd2ae8940518116a12dff71052f876ff53177d30056d6528887dddef6ee8dcdbe29ff6a620537e97d5e5173fd72fb50bd82fba5e1336b91afc352a065bb4521f3583587f6d197323edbe74544797161018a158d9cb9a552d2df4b796188636534ee0ada57854b3f2258aa1777a5ad7d1989b18f1aaf653ad8f9e873a6107b44630850d4c207e6cda2caceb32b41f514d28880014777a8ce53ccb1aad9a0aebceb5042b245be0d499c5c0311a5bcbc5ac953b506030f5573b7921cb3bd97249b4b2a29c90a0ca63268344a7b504da07e0bd696cdf9588ed745e1d754026cac4b47100310658001f8b1ec1c555199ea39283ec012736a50053fe0ead94e477956335e4284539ebb0ef96c3796ba63b8a0303d9e6a87ef034f063402e55248d3b0c01eff702daed734bab3409d3aab0d37db1546e05f4afe0235ffe238857d39dd5340e5a3f702efaeb64fc8d08158d6b6ab86a769f8ad2de94b8462dd0b051cff0953debbf2e1d4fa8a5fe3736024e2f48dc22fff0198850ee7'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 51, 1, '\x78018d55db6edb300cfd173d2b83644bbebded03060cc3803d1841a0386aebd5b1325b6e5714f9f71d2abe162dd6a27228f2f02292a25e59ef3b6bceac60421a697592ed8c88d42e5571bccb6da276b13daae331cf322963c6d993edfadab5acd092337b71d5032b40f5de74de9e40a7b9cab49079a6552a09d4d9ca75a7952c12324d922c8d396b4cef0fa6f2ae430497c6b4adede0a43147dbf4ac7825bb7e00c5dcc5b690f8da37960417f86385580524af109b7b804b668653ed013fd9b3637bce2e9dfb6d2b28b0ef0cb0ca0dad0ff6cfb6efcd3d2c66c43d8140c4adf337c23bd71cecdfeac1b484210f411539a0184665d012811c4df5e83b7c680f64eded39c0820a78b05cb96638b7e096a5e6094f79c6730e65c864c465cca5e632d9f372b28d334c21fe8f0ae18fc1afb1db43ac259365f8933ce64ac9d58a105f82e81221690123bea47c5909685ac4d36f7e718257669a06f9fef5f5c737a4bcc4894cdda21623417df154dbe785338b36c4e7505bdb7b5818fb301222964227095f18792aa442ce6f9d0a449e29a9b235238f748a4a4c08296492c9950d29a25c2528dd828863956f195ac41b1b3ad254ea45254b13a9d68c3c49543ee7ae1d9ae63a25525c79490cfe890f8cce28a462a617eebb5449fda7f68b8c0a31f4e1466e7f70635aba5ee3efe260824f8051edb6fd2094d5bd5f26c04c2db6670a76ee4cd35bfed1d77783e5e1f301e2a3487eee24bb1d9f2de4ec3748a05a6269acf53f6ef37a4b1db8d55bb28a29d048211e0f47d3dbd1dd3bd8c9c2eb065ec4d795a577d4de48f77b4ca2e7ba3db9e7308bc245294a2df0b782a22f23adc57ebe9545a908b1f18dd141f98930243499a5917ca870cdc932f6a1cac1cb54bde2960416a15788c7d050786e4e2c8475ef50c551b5f27854c6cd9fc1f6ab6d0501e66a7d9bd8f063bbce85010cda9b9ee62db9af86ae435b1e88c58a901accdbf3a5b17898021740140d8f4255d31b366ee7b7a1c4e3b0ca095900faf240651aed8dd843635e702d26278de96aff326def5c452f16b5c95c1fd8094f5df560abc78bc35926f48d1d6625a1afff00cad35f65'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', 53, 1, '\x7801ad57496fe33614fe2f3cd303ae5a7c9b5b2f458b62801e04c3a0658ea3892cb9923c6910cc7feff728c99262bbc92c7128918f6f17dfc217d6768d7747b666423ae96d94ac9c5066151bad57a98fcc4afb9dd9edd224915233cebefaa62dea8aadade6cc9feafc81ad15071bd7747ecfd6324e4d62854c136b626925678dcfeb663fdb53422642c4567056bab6dbbabcab1b68702a5d55f906424ab7f365cbd62fc4b73b63c6ea93afb0d3155de969e30479903653c8e86fd877076067cc9df74507fcbd3fd66cc3d9a9a9bff81c14ec4f06b4bc3e575d1070f46deb0e602961455eef69c6595577fda4abeb72ebffcd1f5c159088635ef41e00c1a17665b0ff9fb36fbbe01750e77505b7baa2ea35f44d43f661a373ed2326a30270259932a880b934f02961b75b5f051d7d131cc7d9cee58fe0993f028d0c2d3a7f0cd4010d3a04b9e5f958019a6596473ce6094fb9145c4a0eeba4e6d27219711973997225b8525c69ae22ae2dd71137921bbbe1d9a810dc377ae7ad5970dce0b639eed27df39d5b9c2fae1d1c7b795dbc3bb870ce684674cd13d648aeb921d32e43c137113c1309791929b0146172f80a6f0d4af121e6d38830a74130fbea4d7082a5b39170f9410c78040fbcc8bb7f7ffceb77b8f697be7efbe31358de7b0ea2faedb95ca883af8d838a1079dfa4f15f0bfff46ef4efe2fd1ee4413e0ec0426bca32bd62306448414a082d858de8c0879c04401a0b691010132031d2e0534d8054d918613202a49051128266e021854a4d84b89a30b436e9126005426a866195a5389c48923842b0cf00691499058f149a11491cdb544762f89b9148adb59a4b91b1966601488d40744f52948471732946a7f8cd30ae00d6ea3845c2b8a81e253689284d4c20a55211295e9dcbf2071e3fca8754e088b01bbf2b387035f25df2867af824b78c406ebd055ec2206209b84f93512a369b9b089992b73796cc218d9ddb502c972fd432941dce86f74435a28f0803d9b86c9f5b54147653a7c064a09fcf7bd01dc367e57c2aec97d9a4d74fcc20f9b32b5bcfef3dbbe6ec7978dcc3f809f83dbb3fade4e046364ddf6be55d1248cb3028f0e6ffa8f3f3e51b736cdf5584e5a514e271bb73adff9f637097fed5c635bb51f8cb628b9a9957a4bf66f9c26a24fcc11e92722577b3411ff55454fbfa297452a1a4ac334ba976a6131a258d867573a931eb0ced2b9ad785c3d871a558683512624bedea367765e862b10e6116a48c21b0ee3f05035508158688462bbe67412d6a2c03ba12d4ce2103910247bf2fce6390b2a25aa1ad3d34e860d92c410f7581bc0812a502bd5ad0c3240605f745755850f605245092ce3975b4a40516630bd62ba503534d4cc3d75a6a366574d957a02cd834b5c53d130326ca8007d8f75d6f2f8abae48041e1039488d38028f801d56c331ef2494c5fd7884f7e6e1a24c06ddf69f7d1847efc782a3dae27010cd608a14b1f4fcb0cfdf055a55ddad4bb33439b3c891d8ae50d44f0bfdc38325c3966c769f82ea7078ab375efbd01775bba67a4f4019897ae29bae771f9b9cee922445920100d7cc20d2a7ff0f9e3a90e170e8d6b490fc4e9eb89bffd07d805357b');

INSERT INTO backstory.streams VALUES
	('01a1e568-940a-7a57-81e5-5d572c7f3372', '2026-11-16 17:29:58.547151+00', '2026-11-16 17:30:01.63517+00', 44, 3, 'session', '\xab5d74f2946b6e341c22f479651fdf74aeccb07924b750995ec88f1817a78c8a', '{"labels": {"tags": ["audit", "demo"], "title": {"part": 0, "version": 44}, "status": "open", "project": "P"}, "windows": {"main": {"limit": 50000}, "review": {"limit": 4000, "model": "m-1", "encoding": "cl100k_base"}}, "type:code": 1, "type:goal": 2, "type:note": 1, "type:task": 1, "items:main": 19, "type:error": 1, "tokens:main": 3177, "items:review": 2, "type:message": 11, "tokens:review": 445, "type:decision": 2, "type:question": 1, "type:constraint": 1, "type:tool_exchange": 1}'),
	('01a1e568-a024-7433-9e64-3eb4bb988113', '2026-11-16 17:30:01.656099+00', '2026-11-16 17:30:01.829267+00', 56, 2, 'session', '\xa533270a46e92ab21969a6f9efc9b46d64e170f147afc41718a684048cc18518', '{"labels": {"tags": ["audit", "demo"], "title": {"part": 1, "version": 43}, "status": "open", "project": "P"}, "windows": {"main": {"limit": 50000}, "review": {"limit": 8000, "model": "m-2", "encoding": "cl100k_base"}}, "type:code": 1, "type:goal": 2, "type:note": 1, "type:task": 1, "items:main": 22, "type:error": 1, "tokens:main": 3184, "items:review": 3, "type:message": 13, "tokens:review": 448, "type:decision": 3, "type:question": 1, "type:constraint": 1, "type:tool_exchange": 1}'),
	('01a1e568-a0f1-788e-8ec7-11eb285e5403', '2026-11-16 17:30:01.841812+00', '2026-11-16 17:30:01.861171+00', 3, 0, 'session', '\x0ff250351406b2ed23f1bac0f06fdd224ba6ae359c64cd9f79e40320804040dd', '{"labels": {"title": {"part": 0, "version": 1}, "status": "ended"}, "windows": {"main": {}}, "items:main": 1, "tokens:main": 1, "type:message": 1}'),
	('01a1e568-a112-7490-aa56-bf52dcd6bcdc', '2026-11-16 17:30:01.875023+00', '2026-11-16 17:30:01.950926+00', 13, 0, 'session', '\x20759001b1ef82bd8889c2eb850ba3c5844a21382cfca1e6e00b1142ec78325e', '{"labels": {"status": "open"}, "windows": {"main": {"limit": 100000}}, "items:main": 12, "tokens:main": 36, "type:message": 12}');

INSERT INTO backstory.tombstones VALUES
	('01a1e568-a108-7cac-85cc-0f4700fbd4d5', 1, '\x52bb9879e6508562e3fd0775804bf2c2a5279595bb5f629df9b7ad489a0f93fa', '2026-11-16 17:30:02.275824+00');

INSERT INTO backstory.tracking VALUES
	('a consumer', 3);

SELECT pg_catalog.setval('backstory.positions', 75, true);

ALTER TABLE ONLY backstory.anchors
    ADD CONSTRAINT anchors_pkey PRIMARY KEY (stream_id, version, key_id);

ALTER TABLE ONLY backstory.appends
    ADD CONSTRAINT appends_pkey PRIMARY KEY (stream_id, key);

ALTER TABLE ONLY backstory.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (stream_id, version);

ALTER TABLE ONLY backstory.contents
    ADD CONSTRAINT contents_pkey PRIMARY KEY (stream_id, version, part);

ALTER TABLE ONLY backstory.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (stream_id, version);

ALTER TABLE ONLY backstory.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (stream_id, item);

ALTER TABLE ONLY backstory.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY backstory.seams
    ADD CONSTRAINT seams_pkey PRIMARY KEY (stream_id, version);

ALTER TABLE ONLY backstory.snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (stream_id, version, fold_version);

ALTER TABLE ONLY backstory.streams
    ADD CONSTRAINT streams_pkey PRIMARY KEY (stream_id);

ALTER TABLE ONLY backstory.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (stream_id);

ALTER TABLE ONLY backstory.tracking
    ADD CONSTRAINT tracking_pkey PRIMARY KEY (consumer, "position");

CREATE INDEX contents_fingerprint ON backstory.contents USING btree (stream_id, fingerprint) WHERE (fingerprint IS NOT NULL);

CREATE INDEX events_position ON backstory.events USING btree ("position");

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON backstory.appends FOR EACH STATEMENT EXECUTE FUNCTION backstory.refuse_change('purge');

ALTER TABLE backstory.appends ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON backstory.contents FOR EACH STATEMENT EXECUTE FUNCTION backstory.refuse_change('erase', 'purge');

ALTER TABLE backstory.contents ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON backstory.events FOR EACH STATEMENT EXECUTE FUNCTION backstory.refuse_change('purge');

ALTER TABLE backstory.events ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON backstory.streams FOR EACH STATEMENT EXECUTE FUNCTION backstory.refuse_change('purge');

ALTER TABLE backstory.streams ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON backstory.tombstones FOR EACH STATEMENT EXECUTE FUNCTION backstory.refuse_change();

ALTER TABLE backstory.tombstones ENABLE ALWAYS TRIGGER append_only;

revoke all on schema backstory from public;
revoke execute on all functions in schema backstory from public;
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'backstory_service') then
        grant usage on schema backstory to backstory_service;
        grant select on all tables in schema backstory to backstory_service;
        grant select on all sequences in schema backstory to backstory_service;
        grant execute on function
            backstory.append, backstory.erase_contents, backstory.save_snapshot, backstory.track
            to backstory_service;
    end if;
end
$$;
