-- Notes a migration that was done.
insert into backstory.schema_migrations (number, name, checksum)
values (%s, %s, %s);
