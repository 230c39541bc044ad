-- Events, contents, idempotency keys and tombstones can be added and, but for the doors named, nothing else.
-- ENABLE ALWAYS: they also fire for a session that calls itself a replica.
drop trigger if exists append_only on backstory.events;
create trigger append_only before update or delete or truncate on backstory.events
    for each statement execute function backstory.refuse_change('purge');
alter table backstory.events enable always trigger append_only;

drop trigger if exists append_only on backstory.contents;
create trigger append_only before update or delete or truncate on backstory.contents
    for each statement execute function backstory.refuse_change('erase', 'purge');
alter table backstory.contents enable always trigger append_only;

drop trigger if exists append_only on backstory.appends;
create trigger append_only before update or delete or truncate on backstory.appends
    for each statement execute function backstory.refuse_change('purge');
alter table backstory.appends enable always trigger append_only;

drop trigger if exists append_only on backstory.streams;
create trigger append_only before delete or truncate on backstory.streams
    for each statement execute function backstory.refuse_change('purge');
alter table backstory.streams enable always trigger append_only;

drop trigger if exists append_only on backstory.tombstones;
create trigger append_only before update or delete or truncate on backstory.tombstones
    for each statement execute function backstory.refuse_change();
alter table backstory.tombstones enable always trigger append_only;
