-- Contents can be added. They leave through the doors that tell what they did: an erasure, and the purge of a stream.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.contents;
create trigger append_only before update or delete or truncate on backstory.contents
    for each statement execute function backstory.refuse_change('erase', 'purge');
alter table backstory.contents enable always trigger append_only;
