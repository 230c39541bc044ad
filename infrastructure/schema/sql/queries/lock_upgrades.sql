-- One upgrade of a database at a time: whether this is the one. Who waits asks again instead of waiting in the server,
-- where the building of an index would wait for him in turn. lock_stream.sql lists the locks' numbers.
select pg_try_advisory_lock(20263);
