-- The tables with their bytes on disk, indexes included, the largest first.
select relname, pg_total_relation_size(oid)
from pg_class
where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p')
order by 2 desc, 1;
