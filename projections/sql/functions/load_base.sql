-- Writes the read models of a branch's root in another stream, as the caller's fold computed them: live items with
-- their origin, windows. A stream's shard need not hold its parent, so nothing is read from there.
create or replace function backstory.load_base(p_stream uuid, p_base jsonb)
returns void language plpgsql as $$
begin
    insert into backstory.windows (stream_id, name, token_limit, encoding, model)
    select p_stream, w.name, w.token_limit, w.encoding, w.model
    from jsonb_to_recordset(p_base -> 'windows')
        as w (name text, token_limit integer, encoding text, model text);
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed, origin)
    select p_stream, i.item, i.type, i.tokens, i.encoding, i.recounts, i.importance, i.tier, i.windows, i.agent,
           i.private, i.task, i.item_references, i.brought_at, i.touched_at, i.accesses, i.changed, i.origin
    from jsonb_to_recordset(p_base -> 'items') as i (
        item integer, type text, tokens integer, encoding text, recounts jsonb, importance float8, tier text,
        windows text[], agent text, private boolean, task text, item_references integer[],
        brought_at timestamptz, touched_at timestamptz, accesses integer, changed integer, origin uuid);
    perform backstory.measure_windows(p_stream);
end
$$;
