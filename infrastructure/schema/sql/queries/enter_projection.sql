-- Holds off whoever would make a projection anew, to the end of the transaction; false when somebody is at it.
select pg_try_advisory_xact_lock_shared(20266, hashtext(%s));
