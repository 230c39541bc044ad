-- Applies one event's effects to the read models and returns the stream's summary after it. It knows the generic
-- verbs and no event type; append, backtrack and rebuild all come through here. Only resumes is not here: it is
-- resume_branch, which comes back here for every event of the branch.
--
-- Items are found by an array of their ids, never by a join: for a join the planner may read every row that the stream
-- has, and does where it has not counted them lately, or where other streams are short. A session that goes on for days
-- would get slower and slower.
create or replace function backstory.apply_effects(
    p_stream uuid, p_version integer, p_at timestamptz, p_effects jsonb, p_summary jsonb
) returns jsonb language plpgsql as $$
declare
    labels jsonb;
    verb jsonb;
    ids integer[];
    place text;
    added text;
    assigned text;
    places text[];
begin
    if p_effects ? 'brings' then
        p_summary := backstory.bring_item(p_stream, p_version, p_at, p_effects -> 'brings', p_summary);
        if p_effects - 'brings' = '{}' then
            return p_summary;
        end if;
    end if;

    labels := p_summary -> 'labels';
    verb := p_effects -> 'window';
    if verb is not null then
        p_summary := jsonb_set(p_summary, array['windows', verb ->> 'name'], verb - 'name');
    end if;

    verb := p_effects -> 'counts';
    if verb is not null then
        -- By what changes: the sum of all that is live would look at every row that the stream ever had.
        ids := array(select k::integer from jsonb_object_keys(verb -> 'tokens') k);
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, -1);
        update backstory.items i
        set recounts = coalesce(i.recounts, '{}') || jsonb_build_object(
                verb ->> 'encoding', (verb #>> array['tokens', i.item::text])::integer)
        where i.stream_id = p_stream and i.item = any (ids);
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, 1);
    end if;

    if p_effects ? 'window' then
        p_summary := backstory.measure_windows(p_stream, p_summary);
    end if;

    verb := p_effects -> 'extends';
    if verb is not null then
        added := coalesce(verb ->> 'origin', 'external_tool');
        -- A recount of the shorter item no longer holds, so it grows by the same count until it is counted again.
        update backstory.items i
        set tokens = i.tokens + (verb ->> 'tokens')::integer, changed = p_version,
            recounts = case when i.recounts is not null then (
                select jsonb_object_agg(r.key, r.value::integer + (verb ->> 'tokens')::integer)
                from jsonb_each_text(i.recounts) r) end,
            origin = case when backstory.trust_of(added) <= backstory.trust_of(i.origin) then added else i.origin end,
            trust = least(i.trust, backstory.trust_of(added)),
            flags = case when verb ? 'flags' then array(
                select distinct f collate "C" from unnest(i.flags || backstory.text_array(verb -> 'flags')) f
                order by f collate "C") else i.flags end
        where i.stream_id = p_stream and i.item = (verb ->> 'item')::integer
        returning i.windows into places;
        foreach place in array coalesce(places, '{}') loop
            p_summary := backstory.use_window(p_summary, place, 0, (verb ->> 'tokens')::integer);
        end loop;
    end if;

    verb := p_effects -> 'revises';
    if verb is not null then
        ids := array[(verb ->> 'item')::integer];
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, -1);
        update backstory.items i
        set tokens = (verb ->> 'tokens')::integer, encoding = verb ->> 'encoding', recounts = null, changed = p_version,
            origin = coalesce(verb ->> 'origin', i.origin),
            trust = least(i.trust, backstory.trust_of(coalesce(verb ->> 'origin', 'user'))),
            flags = case when verb ? 'flags' then backstory.text_array(verb -> 'flags') else '{}' end
        where i.stream_id = p_stream and i.item = ids[1];
        p_summary := backstory.use_windows(p_stream, p_summary, ids, null, 1);
    end if;

    if p_effects ? 'removes' then
        for verb in select value from jsonb_array_elements(p_effects -> 'removes') loop
            ids := backstory.integer_array(verb -> 'items');
            place := verb ->> 'window';
            p_summary := backstory.use_windows(p_stream, p_summary, ids, place, -1);
            update backstory.items i
            set windows = case when place is null then '{}' else array_remove(i.windows, place) end,
                changed = p_version
            where i.stream_id = p_stream and i.item = any (ids)
              and case when place is null then i.windows <> '{}' else place = any (i.windows) end;
        end loop;
    end if;

    if p_effects ? 'returns' then
        for verb in select value from jsonb_array_elements(p_effects -> 'returns') loop
            place := verb ->> 'window';
            -- A fork does not have the rows of items that had left before it began; they come with the event.
            insert into backstory.items (
                stream_id, item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed,
                agent, private, task, item_references, encoding, recounts, origin, trust, quarantined, flags,
                brought_in)
            select p_stream, (r ->> 0)::integer, r ->> 1, (r ->> 2)::integer, (r ->> 3)::float8, r ->> 4, '{}',
                   backstory.moment((r ->> 6)::bigint), backstory.moment((r ->> 7)::bigint), (r ->> 8)::integer,
                   (r ->> 9)::integer, r ->> 12, (r ->> 13)::boolean, r ->> 14,
                   nullif(backstory.integer_array(r -> 15), '{}'), r ->> 16, nullif(r -> 17, 'null'),
                   r ->> 18, (r ->> 19)::smallint, (r ->> 20)::boolean,
                   backstory.text_array(r -> 21), (verb ->> 'brought_in')::uuid
            from jsonb_array_elements(verb -> 'rows') r
            on conflict do nothing;
            continue when place is null;
            ids := backstory.integer_array(verb -> 'items');
            select array_agg(i.item) into ids from backstory.items i
            where i.stream_id = p_stream and i.item = any (ids) and not place = any (i.windows);
            update backstory.items i
            set windows = i.windows || place, changed = p_version,
                cools_from = backstory.cools_from(labels, i.importance, i.accesses, i.touched_at, i.tier),
                warms_until = backstory.warms_until(labels, i.importance, i.accesses, i.touched_at, i.tier)
            where i.stream_id = p_stream and i.item = any (ids);
            p_summary := backstory.use_windows(p_stream, p_summary, ids, place, 1);
        end loop;
    end if;

    verb := p_effects -> 'touches';
    if verb is not null then
        -- The fastest way from one kind of array to the other: accesses come in great numbers.
        ids := translate(verb::text, '[]', '{}')::integer[];
        update backstory.items i
        set accesses = i.accesses + 1, touched_at = greatest(i.touched_at, p_at),
            cools_from = backstory.cools_from(
                labels, i.importance, i.accesses + 1, greatest(i.touched_at, p_at), i.tier),
            warms_until = backstory.warms_until(
                labels, i.importance, i.accesses + 1, greatest(i.touched_at, p_at), i.tier)
        where i.stream_id = p_stream and i.item = any (ids);
    end if;

    if p_effects ? 'tiers' then
        for assigned, verb in select key, value from jsonb_each(p_effects -> 'tiers') loop
            ids := translate(verb::text, '[]', '{}')::integer[];
            update backstory.items i
            set tier = assigned,
                cools_from = backstory.cools_from(labels, i.importance, i.accesses, i.touched_at, assigned),
                warms_until = backstory.warms_until(labels, i.importance, i.accesses, i.touched_at, assigned)
            where i.stream_id = p_stream and i.item = any (ids);
        end loop;
    end if;

    verb := p_effects -> 'judges';
    if verb is not null then
        ids := backstory.integer_array(verb -> 'items');
        update backstory.items i
        set trust = coalesce((verb -> 'trust')::smallint, i.trust),
            quarantined = coalesce((verb -> 'quarantined')::boolean, i.quarantined), changed = p_version,
            flags = case when verb ? 'cleared' then array(
                select f from unnest(i.flags) with ordinality u (f, n)
                where not f = any (backstory.text_array(verb -> 'cleared')) order by n) else i.flags end
        where i.stream_id = p_stream and i.item = any (ids);
    end if;

    if p_effects ? 'labels' then
        p_summary := backstory.set_labels(p_summary, p_version, p_effects -> 'labels');
        -- Whether the session is open, and its tier policy, decide when its items are due.
        if (labels ->> 'status' = 'ended') is distinct from (p_summary #>> '{labels,status}' = 'ended')
           or labels -> 'tier_policy' is distinct from p_summary #> '{labels,tier_policy}' then
            update backstory.items i
            set cools_from = backstory.cools_from(
                    p_summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier),
                warms_until = backstory.warms_until(
                    p_summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier)
            where i.stream_id = p_stream;
        end if;
    end if;

    verb := p_effects -> 'marks';
    if verb is not null then
        insert into backstory.checkpoints (stream_id, version, name)
        values (p_stream, p_version, verb ->> 'name') on conflict do nothing;
    end if;

    return p_summary;
end
$$;
