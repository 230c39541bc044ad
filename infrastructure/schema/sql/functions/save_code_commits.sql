-- Keeps what was found in commits, in place of what an older version found.
create or replace function backstory.save_code_commits(
    p_version integer, p_commits bytea[], p_messages bytea[], p_files bytea[]
) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.code_commits (commit_id, version, used_on, message, files)
    select c.commit_id, p_version, current_date, c.message, c.files
    from unnest(p_commits, p_messages, p_files) as c (commit_id, message, files)
    order by c.commit_id
    on conflict (commit_id) do update
    set version = excluded.version, used_on = excluded.used_on, message = excluded.message, files = excluded.files
    where code_commits.version <> excluded.version
$$;
