-- The tables that Citus does not know yet, and whether their rows belong to streams. What says which schema this is stays
-- where upgrades are made.
select c.relname, coalesce(a.attname = 'stream_id', false)
from pg_class c
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
order by c.relname <> 'streams', c.relname;
