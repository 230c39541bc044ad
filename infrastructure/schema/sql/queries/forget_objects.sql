-- Forgets which functions, views, triggers and grants the database was last given.
delete from backstory.schema_migrations
where number = 0;
