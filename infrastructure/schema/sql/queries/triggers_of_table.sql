-- A table's triggers, as the catalog has them, and whether each fires always.
select pg_get_triggerdef(t.oid), t.tgenabled::text
from pg_trigger t
where t.tgrelid = to_regclass(%s) and not t.tgisinternal;
