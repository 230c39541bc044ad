-- Whether each of these tables refuses changes, whoever asks. One that an older schema does not have yet needs none.
select bool_and(exists (
    select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'append_only' and t.tgenabled = 'A'))
from pg_class c
where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and c.relname = any (%s);
