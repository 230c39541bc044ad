-- Forgets that an export was audited: all of it is imported.
create or replace function backstory.forget_audited(p_digest bytea) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    delete from backstory.audited_files a where a.digest = p_digest;
$$;
