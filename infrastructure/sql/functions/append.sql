-- The one door for new events. In this order: the stream's lock, then the transaction id, then everything else. The
-- id must exist before a position is drawn, or a reader of the feed could declare that position safe unseen.
-- The guard is any of: p_expected (the exact head), p_items with p_since (these are live, and unchanged since).
create or replace function backstory.append(
    p_stream uuid, p_kind text, p_expected integer, p_items integer[], p_since integer, p_epoch integer,
    p_key text, p_fingerprint bytea,
    p_types text[], p_schemas smallint[], p_occurred timestamptz[], p_actors text[], p_causes integer[],
    p_effects text[], p_payloads bytea[],
    c_events smallint[], c_parts smallint[], c_media text[], c_salts bytea[], c_bytes bytea[],
    p_origin_chain bytea, p_base jsonb,
    out first_version integer, out last_version integer, out recorded_at timestamptz, out epoch integer,
    out repeated boolean
) language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
declare
    head_chain bytea;
    head_labels jsonb;
    head_counts jsonb;
    earlier record;
    effect jsonb;
    is_new boolean;
    positions bigint[];
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    perform pg_current_xact_id();

    select s.version, s.epoch, s.chain, s.recorded_at, s.labels, s.counts
    into last_version, epoch, head_chain, recorded_at, head_labels, head_counts
    from backstory.streams s where s.stream_id = p_stream;
    is_new := not found;

    if p_key is not null then
        select a.first_version, a.last_version, a.fingerprint into earlier
        from backstory.appends a where a.stream_id = p_stream and a.key = p_key;
        if found then
            if earlier.fingerprint <> p_fingerprint then
                raise exception using errcode = 'BS005', message = 'key used for another request';
            end if;
            first_version := earlier.first_version;
            last_version := earlier.last_version;
            repeated := true;
            select e.recorded_at into recorded_at from backstory.events e
            where e.stream_id = p_stream and e.version = earlier.last_version;
            return;
        end if;
    end if;

    if is_new then
        if p_kind is null then
            raise exception using errcode = 'BS001', message = 'no such stream';
        end if;
        if exists (select 1 from backstory.tombstones t where t.stream_id = p_stream) then
            raise exception using errcode = 'BS001', message = 'the stream was purged';
        end if;
        last_version := case when p_origin_chain is null then 0 else p_expected end;
        head_chain := coalesce(p_origin_chain, '');
        epoch := 0;
        head_labels := '{}';
        head_counts := '{}';
        recorded_at := '-infinity';
    elsif p_origin_chain is not null then
        raise exception using errcode = 'BS002', message = last_version::text;
    end if;
    if p_expected <> last_version then
        raise exception using errcode = 'BS002', message = last_version::text;
    end if;
    if p_epoch <> epoch then
        raise exception using errcode = 'BS003', message = epoch::text;
    end if;
    if p_items is not null and exists (
        select 1 from unnest(p_items) as guarded (item)
        left join backstory.items i on i.stream_id = p_stream and i.item = guarded.item
        where i.item is null or i.windows = '{}' or i.changed > p_since
    ) then
        raise exception using errcode = 'BS004', message = last_version::text;
    end if;

    recorded_at := greatest(clock_timestamp(), recorded_at);
    first_version := last_version + 1;
    if cardinality(p_types) > 1 then
        positions := backstory.draw_positions(cardinality(p_types));
    end if;

    for k in 1 .. cardinality(p_types) loop
        last_version := last_version + 1;
        effect := p_effects[k];
        if effect is not null then
            if effect ? 'brings' and head_labels ->> 'status' = 'ended' then
                raise exception using errcode = 'BS006', message = 'the session has ended';
            end if;
            if effect ? 'resumes' then
                if not is_new then
                    epoch := epoch + 1;
                end if;
                select r.labels, r.counts into head_labels, head_counts
                from backstory.resume_branch(p_stream, last_version, effect -> 'resumes', p_base) r;
            end if;
            perform backstory.apply_effects(p_stream, last_version, coalesce(p_occurred[k], recorded_at), effect);
            head_labels := backstory.label(head_labels, last_version, effect);
            head_counts := backstory.count_items(head_counts, effect);
        end if;
        head_chain := backstory.next_chain(
            head_chain, p_stream, last_version, p_types[k], p_schemas[k], recorded_at, p_occurred[k], epoch,
            p_causes[k], p_actors[k], p_effects[k], p_payloads[k]);
        insert into backstory.events (
            stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, chain,
            effects, payload)
        values (
            p_stream, last_version, coalesce(positions[k], nextval('backstory.positions')), p_types[k], p_schemas[k],
            recorded_at, p_occurred[k], epoch, p_causes[k], p_actors[k], head_chain, p_effects[k], p_payloads[k]);
    end loop;

    if c_bytes is not null then
        perform backstory.store_contents(p_stream, first_version, c_events, c_parts, c_media, c_salts, c_bytes);
    end if;
    if p_key is not null then
        insert into backstory.appends (stream_id, key, first_version, last_version, fingerprint, proof)
        values (p_stream, p_key, append.first_version, append.last_version, p_fingerprint,
                sha256(head_chain || int4send(append.first_version) || convert_to(p_key, 'UTF8') || p_fingerprint));
    end if;
    if is_new then
        insert into backstory.streams (
            stream_id, kind, version, epoch, chain, started_at, recorded_at, labels, counts)
        values (p_stream, p_kind, last_version, append.epoch, head_chain, append.recorded_at, append.recorded_at,
                head_labels, head_counts);
    else
        update backstory.streams s
        set version = append.last_version, epoch = append.epoch, chain = head_chain,
            recorded_at = append.recorded_at, labels = head_labels, counts = head_counts
        where s.stream_id = p_stream;
    end if;
    repeated := false;
end
$$;
