-- A transaction id that nobody else has, and that comes after all that were given before.
select pg_current_xact_id()::text::bigint;
