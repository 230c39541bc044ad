-- An item's tokens as a window counts them: the recount in the window's encoding where there is one.
create or replace function backstory.tokens_in(p_tokens integer, p_recounts jsonb, p_encoding text)
returns integer language sql immutable parallel safe as $$
    select coalesce((p_recounts ->> coalesce(p_encoding, 'o200k_base'))::integer, p_tokens)
$$;
