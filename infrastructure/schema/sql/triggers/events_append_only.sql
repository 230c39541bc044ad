-- Events can be added and, but for the purge of a whole stream, nothing else.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.events;
create trigger append_only before update or delete or truncate on backstory.events
    for each statement execute function backstory.refuse_change('purge');
alter table backstory.events enable always trigger append_only;
