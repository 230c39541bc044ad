-- Applies one event's effects to the read models. It knows the generic verbs and no event type; append, backtrack
-- and rebuild all come through here. The verbs on a stream's own row (labels, and the count of items brought) are
-- folded by label and count_items, so that the caller writes that row once; resumes is resume_branch.
create or replace function backstory.apply_effects(
    p_stream uuid, p_version integer, p_at timestamptz, p_effects jsonb
) returns void language plpgsql as $$
declare
    verb jsonb;
    part jsonb;
    ids integer[];
    row_windows text[];
begin
    verb := p_effects -> 'brings';
    if verb is not null then
        row_windows := case when verb ? 'windows' then backstory.text_array(verb -> 'windows') else '{main}' end;
        insert into backstory.items (
            stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
            item_references, brought_at, touched_at, accesses, changed)
        values (
            p_stream, p_version, verb ->> 'type', (verb ->> 'tokens')::integer, verb ->> 'encoding', verb -> 'recounts',
            (verb ->> 'importance')::float8, verb ->> 'tier', row_windows, verb ->> 'agent',
            verb ? 'private', verb ->> 'task',
            case when verb ? 'references' then backstory.integer_array(verb -> 'references') end,
            p_at, p_at, 0, p_version);
        perform backstory.use_windows(
            p_stream, row_windows, 1, 1, (verb ->> 'tokens')::integer, verb -> 'recounts');
        if p_effects - 'brings' = '{}' then
            return;
        end if;
    end if;

    verb := p_effects -> 'window';
    if verb is not null then
        insert into backstory.windows (stream_id, name, token_limit, encoding, model)
        values (p_stream, verb ->> 'name', (verb ->> 'limit')::integer, verb ->> 'encoding', verb ->> 'model')
        on conflict (stream_id, name) do update
        set token_limit = excluded.token_limit, encoding = excluded.encoding, model = excluded.model;
    end if;

    verb := p_effects -> 'counts';
    if verb is not null then
        update backstory.items i
        set recounts = coalesce(i.recounts, '{}') || jsonb_build_object(verb ->> 'encoding', (counted.value)::integer)
        from jsonb_each_text(verb -> 'tokens') as counted (item, value)
        where i.stream_id = p_stream and i.item = counted.item::integer;
    end if;

    if p_effects ? 'window' or p_effects ? 'counts' then
        perform backstory.measure_windows(p_stream);
    end if;

    verb := p_effects -> 'extends';
    if verb is not null then
        perform backstory.use_windows(
            p_stream, i.windows, 1, 0, (verb ->> 'tokens')::integer, null)
        from backstory.items i where i.stream_id = p_stream and i.item = (verb ->> 'item')::integer;
        -- A recount of the shorter item no longer holds, so it grows by the same count until it is counted again.
        update backstory.items i
        set tokens = i.tokens + (verb ->> 'tokens')::integer, changed = p_version,
            recounts = (select jsonb_object_agg(r.key, r.value::integer + (verb ->> 'tokens')::integer)
                        from jsonb_each_text(i.recounts) r)
        where i.stream_id = p_stream and i.item = (verb ->> 'item')::integer;
    end if;

    verb := p_effects -> 'revises';
    if verb is not null then
        ids := array[(verb ->> 'item')::integer];
        perform backstory.use_windows(p_stream, i.windows, -1, 0, i.tokens, i.recounts)
        from backstory.items i where i.stream_id = p_stream and i.item = ids[1];
        update backstory.items i
        set tokens = (verb ->> 'tokens')::integer, encoding = verb ->> 'encoding', recounts = null, changed = p_version
        where i.stream_id = p_stream and i.item = ids[1];
        perform backstory.use_windows(p_stream, i.windows, 1, 0, i.tokens, null)
        from backstory.items i where i.stream_id = p_stream and i.item = ids[1];
    end if;

    for part in select value from jsonb_array_elements(p_effects -> 'removes') loop
        ids := backstory.integer_array(part -> 'items');
        if part ? 'window' then
            perform backstory.use_windows(p_stream, array[part ->> 'window'], -1, 1, i.tokens, i.recounts)
            from backstory.items i
            where i.stream_id = p_stream and i.item = any (ids) and part ->> 'window' = any (i.windows);
            update backstory.items i
            set windows = array_remove(i.windows, part ->> 'window'), changed = p_version
            where i.stream_id = p_stream and i.item = any (ids) and part ->> 'window' = any (i.windows);
        else
            perform backstory.use_windows(p_stream, i.windows, -1, 1, i.tokens, i.recounts)
            from backstory.items i where i.stream_id = p_stream and i.item = any (ids) and i.windows <> '{}';
            update backstory.items i set windows = '{}', changed = p_version
            where i.stream_id = p_stream and i.item = any (ids) and i.windows <> '{}';
        end if;
    end loop;

    for part in select value from jsonb_array_elements(p_effects -> 'returns') loop
        ids := backstory.integer_array(part -> 'items');
        perform backstory.use_windows(p_stream, array[part ->> 'window'], 1, 1, i.tokens, i.recounts)
        from backstory.items i
        where i.stream_id = p_stream and i.item = any (ids) and not part ->> 'window' = any (i.windows);
        update backstory.items i
        set windows = i.windows || (part ->> 'window'), changed = p_version
        where i.stream_id = p_stream and i.item = any (ids) and not part ->> 'window' = any (i.windows);
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

    verb := p_effects -> 'marks';
    if verb is not null then
        insert into backstory.checkpoints (stream_id, version, name)
        values (p_stream, p_version, verb ->> 'name') on conflict do nothing;
    end if;
end
$$;
