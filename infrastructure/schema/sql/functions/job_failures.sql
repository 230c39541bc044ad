-- How many runs of a job have failed in a row.
create or replace function backstory.job_failures(p_job text) returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select count(*)
    from backstory.job_runs r
    where r.job = p_job and r.outcome in ('failed', 'timed out', 'lost')
        and r.run > coalesce(
            (select max(d.run) from backstory.job_runs d where d.job = p_job and d.outcome = 'done'), 0)
$$;
