-- Seconds until a job is due, while somebody else has it.
select extract(epoch from backstory.job_due(%(job)s, %(every)s) - clock_timestamp())::double precision;
