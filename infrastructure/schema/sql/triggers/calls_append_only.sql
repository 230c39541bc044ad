-- Calls can be added and nothing else.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.calls;
create trigger append_only before update or delete or truncate on backstory.calls
    for each statement execute function backstory.refuse_change();
alter table backstory.calls enable always trigger append_only;
