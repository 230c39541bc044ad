-- Notes how a run of a job ended, and says when it is due again, in seconds. Of each job the newest 500 runs are kept.
-- A run that was taken for lost, since its lock was, has ended after all.
create or replace function backstory.end_job(
    p_job text, p_run bigint, p_outcome text, p_changed bigint, p_error text, p_mark text
) returns double precision language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_every double precision;
begin
    update backstory.job_runs r
    set ended_at = clock_timestamp(), outcome = p_outcome, changed = p_changed, error = left(p_error, 1000),
        mark = left(p_mark, 1000)
    where r.job = p_job and r.run = p_run and (r.ended_at is null or r.outcome = 'lost')
    returning r.every_seconds into v_every;
    delete from backstory.job_runs r where r.job = p_job and r.run <= p_run - 500;
    return greatest(0, extract(epoch from backstory.job_due(p_job, v_every) - clock_timestamp()));
end
$$;
