-- A stream's summary after these items left (p_sign = -1) or came into (1) the window named, or all that they are in.
-- Called while their rows still say so.
create or replace function backstory.use_windows(
    p_stream uuid, p_summary jsonb, p_items integer[], p_window text, p_sign integer
) returns jsonb language plpgsql stable as $$
declare
    usage record;
begin
    for usage in
        select w.name, count(*) as items,
               sum(backstory.tokens_in(p_summary #> array['windows', w.name], i.tokens, i.recounts)) as tokens
        from backstory.items i, unnest(i.windows) as w (name)
        where i.stream_id = p_stream and i.item = any (p_items) and (p_window is null or w.name = p_window)
        group by w.name
    loop
        p_summary := backstory.use_window(p_summary, usage.name, p_sign * usage.items, p_sign * usage.tokens);
    end loop;
    return p_summary;
end
$$;
