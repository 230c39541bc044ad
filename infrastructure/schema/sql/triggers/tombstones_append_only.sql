-- Tombstones can be added. One goes only when the stream that it stands for has come back as it was.
-- ENABLE ALWAYS: it also fires for a session that calls itself a replica.
drop trigger if exists append_only on backstory.tombstones;
create trigger append_only before update or delete or truncate on backstory.tombstones
    for each statement execute function backstory.refuse_change('import');
alter table backstory.tombstones enable always trigger append_only;
