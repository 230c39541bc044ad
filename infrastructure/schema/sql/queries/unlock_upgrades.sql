-- Lets the next upgrade of the database begin.
select pg_advisory_unlock(20263);
