-- A stream's summary after some items and tokens came into a window, or with negative numbers left it.
create or replace function backstory.use_window(p_summary jsonb, p_window text, p_items bigint, p_tokens bigint)
returns jsonb language plpgsql immutable as $$
begin
    if not p_summary -> 'windows' ? p_window then
        p_summary := jsonb_set(p_summary, array['windows', p_window], '{}');
    end if;
    return p_summary || jsonb_build_object(
        'items:' || p_window, coalesce((p_summary ->> ('items:' || p_window))::integer, 0) + p_items,
        'tokens:' || p_window, coalesce((p_summary ->> ('tokens:' || p_window))::bigint, 0) + p_tokens);
end
$$;
