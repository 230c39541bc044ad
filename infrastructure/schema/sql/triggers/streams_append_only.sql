-- A stream's own row changes with every append. It is deleted by the purge of the stream alone.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.streams;
create trigger append_only before delete or truncate on backstory.streams
    for each statement execute function backstory.refuse_change('purge');
alter table backstory.streams enable always trigger append_only;
