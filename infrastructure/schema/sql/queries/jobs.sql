-- name: begin_job
-- Begins a run of a job, if it is due or has to be done at once.
select run, started_at, wait, mark
from backstory.begin_job(%(job)s, %(worker)s, %(every)s, %(at_once)s);

-- name: end_job
-- Notes how a run of a job ended; gives the seconds until it is due again.
select backstory.end_job(%(job)s, %(run)s, %(outcome)s, %(changed)s, %(error)s, %(mark)s);

-- name: job_runs
-- The newest runs of a job, or of all jobs, newest first.
select job, run, worker, started_at, ended_at, outcome, changed, error
from backstory.job_runs
where %(job)s::text is null or job = %(job)s
order by started_at desc, job, run desc
limit %(limit)s;

-- name: job_states
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

-- name: job_wait
-- Seconds until a job is due, while somebody else has it.
select extract(epoch from backstory.job_due(%(job)s, %(every)s) - clock_timestamp())::double precision;

-- name: try_job_lock
-- Takes the lock of a scheduled job, to the end of the transaction, unless another worker has it. Number 20264 is the jobs'.
select pg_try_advisory_xact_lock(20264, hashtext(%s));

-- name: job_lock_settings
-- For a connection that holds a job's lock as long as the job takes: nobody may end it for being idle, and a machine
-- that vanished without a word is given up after half a minute, not after hours.
select set_config('idle_in_transaction_session_timeout', '0', false),
       set_config('idle_session_timeout', '0', false),
       set_config('tcp_keepalives_idle', '10', false),
       set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '4', false);

-- name: lock_free_streams
-- Takes the locks of these streams that nobody else holds, to the end of the transaction, and tells which they are.
select stream_id
from unnest(%s::uuid[]) as wanted (stream_id)
where pg_try_advisory_xact_lock(uuid_hash_extended(stream_id, 20260));
