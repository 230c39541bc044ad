-- The sanctioned door out of the log: removes a whole stream and leaves a tombstone with its final chain. Refused
-- while other streams begin in this one, and where the stream has gone on since p_version, the last that was exported.
-- The row's lock comes before the look for forks: one that is being made holds the row (hold_stream) until it can be
-- seen.
create or replace function backstory.purge(p_stream uuid, p_version integer default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
declare
    head backstory.streams;
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
    select s.* into head from backstory.streams s where s.stream_id = p_stream for update;
    if not found then
        raise exception using errcode = 'BS001', message = 'no such stream';
    end if;
    if p_version <> head.version then
        raise exception using errcode = 'BS002', message = head.version::text;
    end if;
    if exists (select 1 from backstory.branch_points s where s.resumed_stream = p_stream and s.stream_id <> p_stream) then
        raise exception using errcode = 'BS007', message = 'other sessions begin in this one';
    end if;
    insert into backstory.tombstones (stream_id, version, chain) values (p_stream, head.version, head.chain);
    perform set_config('backstory.door', 'purge', true);
    delete from backstory.contents where stream_id = p_stream;
    delete from backstory.appends where stream_id = p_stream;
    delete from backstory.snapshots where stream_id = p_stream;
    delete from backstory.items where stream_id = p_stream;
    delete from backstory.branch_points where stream_id = p_stream;
    delete from backstory.checkpoints where stream_id = p_stream;
    perform backstory.hold_index(p_stream);
    perform backstory.remove_segments(p_stream, 1, head.version);
    delete from backstory.embeddings where stream_id = p_stream;
    -- Whoever takes up an event that was set aside holds its row, then wants the lock that is taken next.
    perform 1 from backstory.set_aside a where a.stream_id = p_stream for update;
    -- As late as can be, since whoever counts waits from here on; it needs the events.
    perform backstory.uncount_activity(p_stream);
    delete from backstory.set_aside where stream_id = p_stream;
    delete from backstory.events where stream_id = p_stream;
    delete from backstory.streams where stream_id = p_stream;
    delete from backstory.answers a where not a.bare;
    perform set_config('backstory.door', '', true);
end
$$;
