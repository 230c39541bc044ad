-- When a job that runs at this interval is due, by the database's clock and the runs so far. Where the newest run had a
-- shorter interval, that one counts: what its worker leaves overdue is anybody's to do. After failures in a row it waits: at
-- first as long as the interval or a minute, twice as long each time, at most a quarter of an hour or the interval. A run
-- that was told to stop leaves the job due. One from the future says that the clock was set back.
create or replace function backstory.job_due(p_job text, p_every double precision) returns timestamptz
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last timestamptz;
    v_every double precision;
    v_failures bigint;
    v_wait double precision;
begin
    select r.started_at, least(r.every_seconds, p_every) into v_last, v_every
    from backstory.job_runs r
    where r.job = p_job and r.outcome is distinct from 'stopped'
    order by r.run desc limit 1;
    if v_last is null or v_last > clock_timestamp() then
        return now();
    end if;
    v_failures := backstory.job_failures(p_job);
    v_wait := v_every;
    if v_failures > 0 then
        v_wait := least(greatest(v_every, 900), least(v_every, 60) * 2 ^ least(v_failures - 1, 20));
    end if;
    return v_last + make_interval(secs => v_wait);
end
$$;
