-- Whether an index is there as a whole. One whose building was interrupted is not.
select i.indisvalid
from pg_index i
join pg_class c on c.oid = i.indexrelid
where c.relnamespace = 'backstory'::regnamespace and c.relname = %s;
