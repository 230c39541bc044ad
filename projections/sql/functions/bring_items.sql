-- bring_item for several events at once, each of which brings one of the items and does nothing else.
create or replace function backstory.bring_items(
    p_stream uuid, p_versions integer[], p_ats timestamptz[], p_items jsonb[], p_summary jsonb
) returns jsonb language plpgsql as $$
declare
    brought record;
begin
    if p_summary #>> '{labels,status}' = 'ended' then
        raise exception using errcode = 'BS006', message = 'the session has ended';
    end if;
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed, origin, trust, quarantined, flags, cools_from,
        warms_until)
    select p_stream, version, i ->> 'type', (i -> 'tokens')::integer, i ->> 'encoding', i -> 'recounts',
           (i -> 'importance')::float8, i ->> 'tier',
           case when i ? 'windows' then backstory.text_array(i -> 'windows') else '{main}' end,
           i ->> 'agent', i ? 'private', i ->> 'task',
           case when i ? 'references' then backstory.integer_array(i -> 'references') end,
           at, at, 0, version, coalesce(i ->> 'origin', 'model'),
           coalesce((i -> 'trust')::smallint, backstory.trust_of(coalesce(i ->> 'origin', 'model'))),
           i ? 'quarantined',
           case when i ? 'flags' then backstory.text_array(i -> 'flags') else '{}' end,
           backstory.cools_from(p_summary -> 'labels', (i -> 'importance')::float8, 0, at, i ->> 'tier'),
           backstory.warms_until(p_summary -> 'labels', (i -> 'importance')::float8, 0, at, i ->> 'tier')
    from unnest(p_versions, p_ats, p_items) as new (version, at, i);
    for brought in select i ->> 'type' as type, count(*) as n from unnest(p_items) as new (i) group by 1 loop
        p_summary := p_summary || jsonb_build_object(
            'type:' || brought.type, coalesce((p_summary -> ('type:' || brought.type))::integer, 0) + brought.n);
    end loop;
    return backstory.use_windows(p_stream, p_summary, p_versions, null, 1);
end
$$;
