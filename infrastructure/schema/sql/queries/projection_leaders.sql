-- The process that leads each of these projections.
select p.name, l.pid
from unnest(%s::text[]) as p (name)
join pg_locks l on l.locktype = 'advisory' and l.classid = 20265 and l.objsubid = 2 and l.granted
    and l.objid = (hashtext(p.name)::bigint & 4294967295)::oid
    and l.database = (select oid from pg_database where datname = current_database());
