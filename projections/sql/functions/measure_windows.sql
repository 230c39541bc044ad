-- Sets windows' usage from the live items. Verbs that move few items adjust it instead; both give the same sums.
create or replace function backstory.measure_windows(p_stream uuid, p_window text default null)
returns void language sql as $$
    update backstory.windows w
    set items = live.items, tokens = live.tokens
    from (
        select v.name, count(i.item) as items,
               coalesce(sum(backstory.tokens_in(i.tokens, i.recounts, v.encoding)), 0) as tokens
        from backstory.windows v
        left join backstory.items i on i.stream_id = v.stream_id and v.name = any (i.windows)
        where v.stream_id = p_stream and (p_window is null or v.name = p_window)
        group by v.name
    ) live
    where w.stream_id = p_stream and w.name = live.name
$$;
