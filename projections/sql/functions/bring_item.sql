-- Adds the item an event brings, and returns the stream's summary with it counted. An item for the main window alone of
-- an open session, as most are, is counted in the statement that adds it. An ended session takes no new items.
create or replace function backstory.bring_item(
    p_stream uuid, p_version integer, p_at timestamptz, p_item jsonb, p_summary jsonb
) returns jsonb language plpgsql as $$
declare
    counted jsonb;
begin
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed, origin, trust, quarantined, flags, cools_from,
        warms_until)
    values (
        p_stream, p_version, p_item ->> 'type', (p_item -> 'tokens')::integer, p_item ->> 'encoding',
        p_item -> 'recounts', (p_item -> 'importance')::float8, p_item ->> 'tier',
        case when p_item ? 'windows' then backstory.text_array(p_item -> 'windows') else '{main}' end,
        p_item ->> 'agent', p_item ? 'private', p_item ->> 'task',
        case when p_item ? 'references' then backstory.integer_array(p_item -> 'references') end,
        p_at, p_at, 0, p_version, coalesce(p_item ->> 'origin', 'model'),
        coalesce((p_item -> 'trust')::smallint, backstory.trust_of(coalesce(p_item ->> 'origin', 'model'))),
        p_item ? 'quarantined',
        case when p_item ? 'flags' then backstory.text_array(p_item -> 'flags') else '{}' end,
        backstory.cools_from(
            p_summary -> 'labels', (p_item -> 'importance')::float8, 0, p_at, p_item ->> 'tier'),
        backstory.warms_until(
            p_summary -> 'labels', (p_item -> 'importance')::float8, 0, p_at, p_item ->> 'tier'))
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
