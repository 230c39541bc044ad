-- Keeps a stream from being purged until the transaction ends, and says whether it is there: whoever begins another one
-- in it must not be left without a beginning.
create or replace function backstory.hold_stream(p_stream uuid) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from backstory.streams s where s.stream_id = p_stream for key share;
    return found;
end
$$;
