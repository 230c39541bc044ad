-- Holds a stream's part of the search index, and its vectors, to the end of the transaction: whoever indexes a text does so before it is
-- erased or after, and never while.
create or replace function backstory.hold_index(p_stream uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock(20269, uuid_hash(p_stream));
end
$$;
