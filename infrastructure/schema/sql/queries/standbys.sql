-- The servers that follow this one, and by how many bytes each is behind.
select coalesce(nullif(application_name, ''), client_addr::text, pid::text), coalesce(state, 'unknown'),
       coalesce(sync_state, 'unknown'),
       case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint end
from pg_stat_replication
order by 1;
