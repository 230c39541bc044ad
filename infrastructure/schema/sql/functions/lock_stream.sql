-- Takes the lock that every append to the stream takes, to the end of the transaction. A function, so that on several
-- machines it is taken on the one that holds the stream.
create or replace function backstory.lock_stream(p_stream uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(uuid_hash_extended(p_stream, 20260));
end
$$;
