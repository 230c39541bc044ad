-- Takes the lead of a projection, until the connection ends, unless another process has it.
select pg_try_advisory_lock(20265, hashtext(%s));
