-- Whether an event was set aside for a consumer; it no longer is. The row is held to the end of the transaction, so that of
-- two who take it up one does.
create or replace function backstory.take_up(p_consumer text, p_position bigint) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    delete from backstory.set_aside a where a.consumer = p_consumer and a.position = p_position;
    return found;
end
$$;
