-- Every transaction that is under way in other processes. Locks are shown to all; what others do is not.
select virtualtransaction
from pg_locks
where locktype = 'virtualxid' and granted and pid <> pg_backend_pid();
