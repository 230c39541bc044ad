-- Makes a stream's items those at the root of its branch, and returns its summary there. A branch that began in another
-- stream has the root's rows in p_base, which comes from the caller's fold: a stream's shard need not hold its parent.
create or replace function backstory.begin_branch(p_stream uuid, p_base jsonb) returns jsonb language plpgsql as $$
declare
    summary jsonb := coalesce(p_base -> 'summary', '{"labels": {}, "windows": {}}');
begin
    delete from backstory.items where stream_id = p_stream;
    insert into backstory.items (
        stream_id, item, type, tokens, encoding, recounts, importance, tier, windows, agent, private, task,
        item_references, brought_at, touched_at, accesses, changed, origin, trust, quarantined, flags,
        brought_in, cools_from, warms_until)
    select p_stream, i.item, i.type, i.tokens, i.encoding, i.recounts, i.importance, i.tier, i.windows, i.agent,
           i.private, i.task, i.item_references, i.brought_at, i.touched_at, i.accesses, i.changed, i.origin,
           i.trust, i.quarantined, i.flags, i.brought_in,
           backstory.cools_from(summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier),
           backstory.warms_until(summary -> 'labels', i.importance, i.accesses, i.touched_at, i.tier)
    from jsonb_to_recordset(p_base -> 'items') as i (
        item integer, type text, tokens integer, encoding text, recounts jsonb, importance float8, tier text,
        windows text[], agent text, private boolean, task text, item_references integer[],
        brought_at timestamptz, touched_at timestamptz, accesses integer, changed integer, origin text, trust smallint,
        quarantined boolean, flags text[], brought_in uuid);
    return summary;
end
$$;
