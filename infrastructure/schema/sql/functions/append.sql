-- Appends events to a stream. In this order: the stream's lock, then the transaction id, then everything else. The id
-- must exist before a position is drawn, or a reader of the feed could declare that position safe unseen.
--
-- p_events holds one envelope an event: type, schema, and where they apply occurred (ISO 8601), actor, caller, cause and
-- effects
-- (text). p_payloads holds their payloads in the same order. p_contents says of each content which event it belongs to
-- (1 is the first), its part, salt (hexadecimal) and media (unless plain text); p_bytes holds their bytes.
--
-- Guards, each optional: p_expected is the version of the head and p_recorded its time; p_epoch is its epoch; p_items are
-- live and, with p_since, unchanged since that version. p_key makes the call idempotent for requests of the same
-- p_fingerprint. p_kind allows a new stream; a fork has p_origin_chain and, with other streams before it, p_base.
--
-- Returns first version, last version, recorded microseconds since 1970, epoch, and 1 for a call that was repeated
-- under its key. PL/pgSQL prepares every expression anew in each transaction, so one event with one short content runs
-- through few of them: rare cases share one test, and values are computed in the statements that store them.
create or replace function backstory.append(
    p_stream uuid, p_events jsonb, p_payloads bytea[], p_contents jsonb, p_bytes bytea[],
    p_expected integer, p_recorded timestamptz, p_epoch integer, p_items integer[], p_since integer,
    p_key text, p_fingerprint bytea, p_kind text, p_origin_chain bytea, p_base jsonb
) returns bigint[] language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
#variable_conflict use_variable
declare
    v integer;
    first_version integer;
    head_epoch integer;
    head_chain bytea;
    head_recorded timestamptz;
    head_summary jsonb;
    now_recorded timestamptz;
    earlier bigint[];
    event jsonb;
    effect jsonb;
    xid xid8;
begin
    if not pg_try_advisory_xact_lock(uuid_hash_extended(p_stream, 20260)) then
        perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    end if;
    select s.version + 1, s.version + 1, s.epoch, s.chain, s.recorded_at, greatest(clock_timestamp(), s.recorded_at),
           s.summary, pg_current_xact_id()
    into v, first_version, head_epoch, head_chain, head_recorded, now_recorded, head_summary, xid
    from backstory.streams s where s.stream_id = p_stream;

    if v is null or p_key is not null or p_items is not null or p_origin_chain is not null
       or p_expected <> v - 1 or p_epoch <> head_epoch or p_recorded <> head_recorded then
        if xid is null then
            -- Before anything is refused: a standby that lags behind must say what it is, not that there is no such
            -- stream.
            xid := pg_current_xact_id();
        end if;
        earlier := backstory.earlier_append(p_stream, p_key, p_fingerprint, head_epoch);
        if earlier is not null then
            return earlier;
        end if;
        perform backstory.check_guards(p_stream, v - 1, head_epoch, p_kind, p_expected, p_items, p_since, p_epoch,
                                       p_origin_chain, p_recorded <> head_recorded);
        if v is null then
            v := case when p_origin_chain is null then 1 else p_expected + 1 end;
            first_version := v;
            head_chain := coalesce(p_origin_chain, '');
            now_recorded := clock_timestamp();
            head_summary := '{"labels": {}, "windows": {}}';
            insert into backstory.streams (stream_id, kind, version, epoch, chain, started_at, recorded_at, summary)
            values (p_stream, p_kind, v - 1, 0, head_chain, now_recorded, now_recorded, head_summary);
        end if;
    end if;

    if cardinality(p_payloads) > 1 then
        select w.chain, w.summary into head_chain, head_summary
        from backstory.write_events(
            p_stream, v, now_recorded, coalesce(head_epoch, 0), p_events, p_payloads, head_chain, head_summary) w;
        v := v + cardinality(p_payloads) - 1;
    else
        event := p_events -> 0;
        if event ? 'effects' then
            effect := event ->> 'effects';
            if effect ? 'resumes' then
                -- A fork begins in epoch 0; a backtrack raises the epoch of the stream it is in.
                head_epoch := coalesce(head_epoch + 1, 0);
                head_summary := backstory.resume_branch(p_stream, v, effect -> 'resumes', p_base);
            end if;
            head_summary := backstory.apply_effects(
                p_stream, v, coalesce((event ->> 'occurred')::timestamptz, now_recorded), effect, head_summary);
        end if;
        insert into backstory.events (
            stream_id, version, position, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller,
            chain, effects, payload)
        values (
            p_stream, v, nextval('backstory.positions'), event ->> 'type', (event -> 'schema')::smallint, now_recorded,
            (event ->> 'occurred')::timestamptz, coalesce(head_epoch, 0), (event -> 'cause')::integer,
            event ->> 'actor', event ->> 'caller',
            backstory.next_chain(
                head_chain, p_stream, v, event ->> 'type', (event -> 'schema')::smallint, now_recorded,
                (event ->> 'occurred')::timestamptz, coalesce(head_epoch, 0), (event -> 'cause')::integer,
                event ->> 'actor', event ->> 'caller', event ->> 'effects', p_payloads[1]),
            event ->> 'effects', p_payloads[1])
        returning events.chain into head_chain;
    end if;

    if cardinality(p_bytes) = 1 and octet_length(p_bytes[1]) <= 1024 then
        insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
        values (p_stream, first_version + (p_contents #> '{0,event}')::integer - 1,
                (p_contents #> '{0,part}')::smallint, p_contents #>> '{0,media}',
                decode(p_contents #>> '{0,salt}', 'hex'), p_bytes[1]);
    elsif p_bytes is not null then
        perform backstory.store_contents(p_stream, first_version, p_contents, p_bytes);
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
