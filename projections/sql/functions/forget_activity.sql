-- Empties the activity, to be counted anew. The lock is the one that a count and a purge take.
create or replace function backstory.forget_activity() returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    select pg_advisory_xact_lock(hashtextextended('activity', 20262));
    delete from backstory.activity;
    delete from backstory.activity_projects;
$$;
