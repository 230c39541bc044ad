-- One upgrade of a database at a time. lock_stream.sql lists the locks' numbers.
select pg_advisory_lock(20263);
