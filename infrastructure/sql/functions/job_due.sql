-- When a job that runs at this interval is due, by the database's clock and the runs so far. After failures in a row it
-- waits: at first as long as the interval or a minute, twice as long each time, at most a quarter of an hour or the
-- interval. A run that was told to stop leaves the job due. One from the future says that the clock was set back.
create or replace function backstory.job_due(p_job text, p_every double precision) returns timestamptz
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_last timestamptz;
    v_failures bigint;
    v_wait double precision := p_every;
begin
    select r.started_at into v_last
    from backstory.job_runs r
    where r.job = p_job and r.outcome is distinct from 'stopped'
    order by r.run desc limit 1;
    if v_last is null or v_last > clock_timestamp() then
        return now();
    end if;
    v_failures := backstory.job_failures(p_job);
    if v_failures > 0 then
        v_wait := least(greatest(p_every, 900), least(p_every, 60) * 2 ^ least(v_failures - 1, 20));
    end if;
    return v_last + make_interval(secs => v_wait);
end
$$;
