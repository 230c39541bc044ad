-- The newest position that was drawn, then a transaction id that was taken after it was read, and the newest horizon that
-- a reader has noted. The order matters: see the horizon in Python. Each statement here runs after the one before it, so the
-- id cannot come first. A reader that gives its own horizon has it noted, for readers that begin while a long transaction
-- is open.
create or replace function backstory.mark_feed(p_horizon bigint) returns bigint[]
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    newest bigint;
    taken bigint;
    noted bigint;
begin
    select s.last_value into newest from backstory.positions s;
    taken := pg_current_xact_id()::text::bigint;
    select max(t.position) into noted from backstory.tracking t where t.consumer = 'backstory:feed';
    -- Whoever finds another one at it leaves it to that one.
    if p_horizon > coalesce(noted, 0) and pg_try_advisory_xact_lock(hashtextextended('backstory:feed', 20262)) then
        delete from backstory.tracking t where t.consumer = 'backstory:feed' and t.position < p_horizon;
        insert into backstory.tracking (consumer, position) values ('backstory:feed', p_horizon) on conflict do nothing;
    end if;
    return array[newest, taken, coalesce(noted, 0)];
end
$$;
