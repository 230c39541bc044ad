-- Rules can be added and nothing else: what held when stays known.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.retention_rules;
create trigger append_only before update or delete or truncate on backstory.retention_rules
    for each statement execute function backstory.refuse_change();
alter table backstory.retention_rules enable always trigger append_only;
