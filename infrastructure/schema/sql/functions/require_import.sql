-- Refuses to go on with an import of a stream that this transaction did not begin. Events are never updated, so the
-- first one's xmin tells who began it: nothing can be slipped under a stream that was there before.
create or replace function backstory.require_import(p_stream uuid) returns void
language plpgsql as $$
begin
    if not coalesce((
        select e.xmin = pg_current_xact_id()::xid from backstory.events e
        where e.stream_id = p_stream order by e.version limit 1), false) then
        raise exception using errcode = 'BS010', message = format('session %s is there already', p_stream);
    end if;
end
$$;
