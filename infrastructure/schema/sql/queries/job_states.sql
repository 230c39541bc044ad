-- How each of some jobs stands: its newest run, the last good one, failures in a row, and when it is due. A job that
-- never ran is due now.
select j.job, last.run, last.worker, last.started_at, last.ended_at, last.outcome, last.changed, last.error,
       backstory.job_failures(j.job),
       (select max(d.started_at) from backstory.job_runs d where d.job = j.job and d.outcome = 'done'),
       backstory.job_due(j.job, coalesce(last.every_seconds, j.every)),
       coalesce(last.every_seconds, j.every), clock_timestamp()
from unnest(%(jobs)s::text[], %(every)s::double precision[]) with ordinality as j (job, every, place)
left join lateral (
    select * from backstory.job_runs r where r.job = j.job order by r.run desc limit 1
) as last on true
order by j.place;
