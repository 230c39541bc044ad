-- Forgets how far a consumer of the feed has come, and what it has set aside.
create or replace function backstory.start_over(p_consumer text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_consumer, 20262));
    delete from backstory.tracking t where t.consumer = p_consumer;
    delete from backstory.set_aside a where a.consumer = p_consumer;
end
$$;
