-- Begins a run of a job, unless it is not due and need not be: then it says how many seconds are left. Gives the mark
-- that the last good run left. The caller holds the job's lock, so whoever began a run that has no end is gone.
create or replace function backstory.begin_job(
    p_job text, p_worker text, p_every double precision, p_at_once boolean,
    out run bigint, out started_at timestamptz, out wait double precision, out mark text
) language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_now timestamptz := clock_timestamp();
begin
    update backstory.job_runs r set ended_at = v_now, outcome = 'lost', error = 'its worker ended before it did'
    where r.job = p_job and r.ended_at is null;
    wait := extract(epoch from backstory.job_due(p_job, p_every) - v_now);
    if wait > 0 and not p_at_once then
        return;
    end if;
    wait := 0;
    select r.mark into mark
    from backstory.job_runs r
    where r.job = p_job and r.outcome = 'done' order by r.run desc limit 1;
    started_at := v_now;
    select coalesce(max(r.run), 0) + 1 into run from backstory.job_runs r where r.job = p_job;
    insert into backstory.job_runs (job, run, worker, every_seconds, started_at)
    values (p_job, run, p_worker, p_every, v_now);
end
$$;
