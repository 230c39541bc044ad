-- The oldest transaction id that is not done, and one after every id that is.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
