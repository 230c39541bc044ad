-- The process whose transaction is the oldest that is not done, or the name that it was prepared under. Every transaction
-- holds a lock on its own id, and locks are shown to all; what others do is not.
select l.pid, p.gid
from pg_locks l
left join pg_prepared_xacts p on p.transaction = l.transactionid
where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
    and l.transactionid = pg_snapshot_xmin(pg_current_snapshot())::xid and l.pid is distinct from pg_backend_pid();
