-- Whether the tables are spread over several machines. Only there does an event's position have a default: by it the
-- sequence reaches every machine.
select exists (select 1 from pg_attrdef where adrelid = 'backstory.events'::regclass);
