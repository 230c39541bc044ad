-- Notes how far a consumer of the feed has come. A position at or below the last one is refused.
create or replace function backstory.track(p_consumer text, p_position bigint) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_consumer, 20262));
    if exists (select 1 from backstory.tracking t where t.consumer = p_consumer and t.position >= p_position) then
        raise exception using errcode = '23505', message = 'position already tracked';
    end if;
    insert into backstory.tracking (consumer, position) values (p_consumer, p_position);
    delete from backstory.tracking t where t.consumer = p_consumer and t.position < p_position;
end
$$;
