-- The process whose transaction is the oldest that is not done. Every transaction holds a lock on its own id, and locks
-- are shown to all; what others do is not.
select pid
from pg_locks
where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted
    and transactionid = pg_snapshot_xmin(pg_current_snapshot())::xid and pid <> pg_backend_pid();
