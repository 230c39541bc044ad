-- A run of feed positions that no other run interleaves with. The lock is held for the drawing only, not until commit,
-- and is given back even when the statement is cancelled in between.
create or replace function backstory.draw_positions(p_count integer) returns bigint[]
language plpgsql volatile as $$
declare
    drawn bigint[];
begin
    perform pg_advisory_lock(20261);
    begin
        select array_agg(nextval('backstory.positions')) into drawn from generate_series(1, p_count);
    exception when query_canceled or others then
        perform pg_advisory_unlock(20261);
        raise;
    end;
    perform pg_advisory_unlock(20261);
    return drawn;
end
$$;
