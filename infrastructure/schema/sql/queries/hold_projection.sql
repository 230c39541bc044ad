-- Keeps everybody else from applying events to a projection, until the connection ends.
select pg_advisory_lock(20266, hashtext(%s));
