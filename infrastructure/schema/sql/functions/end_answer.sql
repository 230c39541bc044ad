-- Keeps the answer to a request that was begun; without a status it is forgotten, so that it may be made again. Nothing
-- is kept where an erasure came meanwhile.
create or replace function backstory.end_answer(p_owner uuid, p_status integer, p_body bytea)
returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_status is null then
        delete from backstory.answers a where a.owner = p_owner;
    else
        update backstory.answers a set status = p_status, body = p_body where a.owner = p_owner;
    end if;
end
$$;
