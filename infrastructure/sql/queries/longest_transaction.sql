-- The transaction of another process in this database that is open longest. A login that may not see what others do is
-- told who, not what.
select pid, extract(epoch from clock_timestamp() - xact_start)::float8, state, usename, application_name,
       backend_xid is not null
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
order by xact_start
limit 1;
