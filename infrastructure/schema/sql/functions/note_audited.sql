-- Notes that an export was audited by this code and found to be sound. Those that nobody came back to for a week go.
create or replace function backstory.note_audited(p_digest bytea, p_by text) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    delete from backstory.audited_files a where a.audited_at < clock_timestamp() - interval '7 days';
    insert into backstory.audited_files (digest, audited_at, audited_by)
    values (p_digest, clock_timestamp(), p_by)
    on conflict (digest) do update set audited_at = excluded.audited_at, audited_by = excluded.audited_by;
$$;
