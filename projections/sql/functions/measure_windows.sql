-- A stream's summary with every window's usage summed from the live items, for verbs that change how they count.
create or replace function backstory.measure_windows(p_stream uuid, p_summary jsonb) returns jsonb
language plpgsql stable as $$
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
