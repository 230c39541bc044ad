-- Adds an item's tokens (or takes them off, with p_sign = -1) to each of the windows named.
create or replace function backstory.use_windows(
    p_stream uuid, p_windows text[], p_sign integer, p_items integer, p_tokens integer, p_recounts jsonb
) returns void language plpgsql as $$
declare
    found_windows integer;
begin
    update backstory.windows
    set items = items + p_sign * p_items,
        tokens = tokens + p_sign * coalesce((p_recounts ->> coalesce(encoding, 'o200k_base'))::integer, p_tokens)
    where stream_id = p_stream and name = any (p_windows);
    get diagnostics found_windows = row_count;
    if found_windows < cardinality(p_windows) then
        insert into backstory.windows (stream_id, name, items, tokens)
        select p_stream, name, p_items, p_tokens from unnest(p_windows) as missing (name)
        on conflict do nothing;
    end if;
end
$$;
