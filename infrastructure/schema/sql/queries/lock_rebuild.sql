-- Whether this is the one that rebuilds all read models. lock_stream.sql lists the locks' numbers.
select pg_try_advisory_lock(20268);
