-- The sanctioned door out of the log: removes a whole stream and leaves a tombstone with its final chain. Refused
-- while other streams begin in this one.
create or replace function backstory.purge(p_stream uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    if exists (select 1 from backstory.seams s where s.resumed_stream = p_stream and s.stream_id <> p_stream) then
        raise exception using errcode = 'BS007', message = 'other sessions begin in this one';
    end if;
    insert into backstory.tombstones (stream_id, version, chain)
    select s.stream_id, s.version, s.chain from backstory.streams s where s.stream_id = p_stream;
    if not found then
        raise exception using errcode = 'BS001', message = 'no such stream';
    end if;
    perform set_config('backstory.door', 'purge', true);
    delete from backstory.contents where stream_id = p_stream;
    delete from backstory.events where stream_id = p_stream;
    delete from backstory.appends where stream_id = p_stream;
    delete from backstory.streams where stream_id = p_stream;
    delete from backstory.snapshots where stream_id = p_stream;
    delete from backstory.items where stream_id = p_stream;
    delete from backstory.seams where stream_id = p_stream;
    delete from backstory.checkpoints where stream_id = p_stream;
    perform set_config('backstory.door', '', true);
end
$$;
