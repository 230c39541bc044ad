-- The newest runs of a job, or of all jobs, newest first.
select job, run, worker, started_at, ended_at, outcome, changed, error
from backstory.job_runs
where %(job)s::text is null or job = %(job)s
order by started_at desc, job, run desc
limit %(limit)s;
