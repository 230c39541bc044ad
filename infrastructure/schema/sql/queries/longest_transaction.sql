-- The transaction of another process that is open longest: of this database, or of any other of the server when it has
-- written something, since the feed waits for that too. A login that may not see what others do is told who, not what.
select pid, extract(epoch from clock_timestamp() - xact_start)::float8, state, usename, application_name,
       backend_xid is not null, nullif(datname, current_database())
from pg_stat_activity
where (datname = current_database() or backend_xid is not null) and pid <> pg_backend_pid() and xact_start is not null
order by xact_start
limit 1;
