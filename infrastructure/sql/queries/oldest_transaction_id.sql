-- The oldest transaction id that is not done.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
