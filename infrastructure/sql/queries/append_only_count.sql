-- How many of these tables refuse changes, whoever asks.
select count(*)
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where c.relnamespace = 'backstory'::regnamespace and c.relname = any (%s)
    and t.tgname = 'append_only' and t.tgenabled = 'A';
