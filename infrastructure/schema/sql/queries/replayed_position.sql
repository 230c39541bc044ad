-- How far a standby has replayed the write-ahead log; null on a server that follows none.
select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end;
