-- Removes all vectors, to be made anew.
create or replace function backstory.forget_embeddings() returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    delete from backstory.embeddings;
$$;
