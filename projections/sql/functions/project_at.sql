-- The project that a session belonged to at a version, as far as the activity has met it.
create or replace function backstory.project_at(p_stream uuid, p_version integer) returns text
language sql stable as $$
    select p.project from backstory.activity_projects p
    where p.stream_id = p_stream and p.version <= p_version
    order by p.version desc
    limit 1
$$;
