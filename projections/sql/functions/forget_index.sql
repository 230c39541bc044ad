-- Empties the search index, to be made anew.
create or replace function backstory.forget_index() returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    delete from backstory.search_postings;
    delete from backstory.search_segments;
$$;
