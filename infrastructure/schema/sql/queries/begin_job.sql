-- Begins a run of a job, if it is due or has to be done at once.
select run, started_at, wait, mark
from backstory.begin_job(%(job)s, %(worker)s, %(every)s, %(at_once)s);
