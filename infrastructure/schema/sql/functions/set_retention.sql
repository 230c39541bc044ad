-- Adds a project's next retention rule.
create or replace function backstory.set_retention(
    p_project text, p_action text, p_after_days integer, p_directory text, p_compressed boolean, p_set_by text,
    p_keeps_memories boolean
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_project, 20267));
    insert into backstory.retention_rules (
        project, number, action, after_days, directory, compressed, set_at, set_by, keeps_memories)
    select p_project, coalesce(max(r.number), 0) + 1, p_action, p_after_days, p_directory, p_compressed,
           clock_timestamp(), p_set_by, p_keeps_memories
    from backstory.retention_rules r where r.project = p_project;
end
$$;
