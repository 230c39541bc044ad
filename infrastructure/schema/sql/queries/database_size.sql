-- How many bytes the database has on disk.
select pg_database_size(current_database());
