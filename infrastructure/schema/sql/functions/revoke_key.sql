-- Revokes every key of a name. Returns how many were valid until now.
create or replace function backstory.revoke_key(p_name text) returns integer language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
declare
    revoked integer;
begin
    update backstory.keys k set revoked_at = clock_timestamp() where k.name = p_name and k.revoked_at is null;
    get diagnostics revoked = row_count;
    return revoked;
end
$$;
