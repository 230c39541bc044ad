-- Every function with what changes in the catalog when it is replaced, its name and the statement that drops it.
select p.oid, p.xmin::text, p.proname, 'drop function ' || p.oid::regprocedure::text
from pg_proc p
where p.pronamespace = 'backstory'::regnamespace;
