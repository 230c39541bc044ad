-- Notes that a key was used, once an hour at most: the time says whether it is still needed, not what it did.
create or replace function backstory.use_key(p_prefix text) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    update backstory.keys k set last_used = clock_timestamp()
    where k.prefix = p_prefix and coalesce(k.last_used, '-infinity') < clock_timestamp() - interval '1 hour'
$$;
