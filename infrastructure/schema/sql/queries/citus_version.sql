-- The version of Citus, where the database has it.
select extversion
from pg_extension
where extname = 'citus';
