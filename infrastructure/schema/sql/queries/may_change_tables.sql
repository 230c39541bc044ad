-- Whether a role may change any of these tables.
select bool_or(has_table_privilege(%s, c.oid, 'insert, update, delete, truncate'))
from pg_class c
where c.relnamespace = 'backstory'::regnamespace and c.relname = any (%s);
