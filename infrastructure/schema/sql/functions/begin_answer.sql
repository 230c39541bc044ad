-- Begins to answer a request under its idempotency key: begun, or busy while another process answers it, or conflict
-- where the key was used for another request, or kept with the answer that there was. A request that was under way for
-- so long that its process must have died is begun anew.
create or replace function backstory.begin_answer(
    p_caller text, p_path text, p_key bytea, p_request bytea, p_owner uuid, p_bare boolean
) returns table (outcome text, status integer, body bytea) language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    found_row backstory.answers;
begin
    delete from backstory.answers a where a.began_at < clock_timestamp() - interval '1 day';
    insert into backstory.answers (caller, path, key, request, owner, began_at, bare)
    values (p_caller, p_path, p_key, p_request, p_owner, clock_timestamp(), p_bare)
    on conflict do nothing;
    select * into strict found_row from backstory.answers a
    where a.caller = p_caller and a.path = p_path and a.key = p_key for update;
    if found_row.owner = p_owner then
        return query select 'begun', null::integer, null::bytea;
    elsif found_row.request <> p_request then
        return query select 'conflict', null::integer, null::bytea;
    elsif found_row.status is not null then
        return query select 'kept', found_row.status, found_row.body;
    elsif found_row.began_at > clock_timestamp() - interval '2 minutes' then
        return query select 'busy', null::integer, null::bytea;
    else
        update backstory.answers a set owner = p_owner, began_at = clock_timestamp()
        where a.caller = p_caller and a.path = p_path and a.key = p_key;
        return query select 'begun', null::integer, null::bytea;
    end if;
end
$$;
