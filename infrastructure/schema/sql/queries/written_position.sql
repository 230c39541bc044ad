-- How far the write-ahead log has come. Whatever was committed before lies in front of it.
select pg_current_wal_insert_lsn()::text;
