-- Empties the activity, to be counted anew.
create or replace function backstory.forget_activity() returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    delete from backstory.activity;
    delete from backstory.activity_projects;
$$;
