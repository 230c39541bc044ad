-- Where a server's data is, and whether it has a database of this name.
select current_setting('data_directory'), exists (select from pg_database where datname = %s);
