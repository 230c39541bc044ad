-- Takes the lock of a scheduled job, to the end of the transaction, unless another worker has it. Number 20264 is the jobs'.
select pg_try_advisory_xact_lock(20264, hashtext(%s));
