-- Adds a key. A name that was ever used is refused, unless the key replaces those of its name, which end after the grace.
create or replace function backstory.add_key(
    p_prefix text, p_name text, p_hash bytea, p_action text, p_projects text[], p_agent text, p_by text,
    p_expires timestamptz, p_grace interval
) returns boolean language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_name, 20268));
    if p_grace is null and exists (select 1 from backstory.keys k where k.name = p_name) then
        return false;
    end if;
    update backstory.keys k
    set expires_at = least(k.expires_at, clock_timestamp() + p_grace)
    where k.name = p_name and k.revoked_at is null;
    insert into backstory.keys (prefix, name, hash, action, projects, agent, created_at, created_by, expires_at)
    values (p_prefix, p_name, p_hash, p_action, p_projects, p_agent, clock_timestamp(), p_by, p_expires);
    return true;
end
$$;
