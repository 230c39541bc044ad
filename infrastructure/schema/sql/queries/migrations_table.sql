-- The table of migrations, null where there is none.
select to_regclass('backstory.schema_migrations');
