-- Notes, once a day, that files and commits are in use, and removes those that were not for 90 days.
create or replace function backstory.use_code(p_digests bytea[], p_commits bytea[])
returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    update backstory.code_files set used_on = current_date
    where (digest, language) in (
        select digest, language from backstory.code_files
        where digest = any(p_digests) and used_on < current_date
        order by digest, language for update skip locked);
    update backstory.code_commits set used_on = current_date
    where commit_id in (
        select commit_id from backstory.code_commits
        where commit_id = any(p_commits) and used_on < current_date
        order by commit_id for update skip locked);
    delete from backstory.code_files where used_on < current_date - 90;
    delete from backstory.code_commits where used_on < current_date - 90;
$$;
