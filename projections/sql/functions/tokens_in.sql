-- An item's tokens as a window counts them: the recount in the window's encoding where there is one.
create or replace function backstory.tokens_in(p_window jsonb, p_tokens integer, p_recounts jsonb) returns integer
language sql immutable parallel safe as $$
    select coalesce((p_recounts ->> coalesce(p_window ->> 'encoding', 'o200k_base'))::integer, p_tokens)
$$;
