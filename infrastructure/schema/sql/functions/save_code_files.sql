-- Keeps what was found in code files, in place of what an older version found.
create or replace function backstory.save_code_files(
    p_version integer, p_digests bytea[], p_languages text[], p_lines integer[], p_refusals text[], p_contents bytea[],
    p_imports bytea[], p_definitions bytea[], p_chunks bytea[]
) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.code_files (
        digest, language, version, used_on, lines, refusal, content, imports, definitions, chunks)
    select f.digest, f.language, p_version, current_date, f.lines, f.refusal, f.content, f.imports, f.definitions, f.chunks
    from unnest(p_digests, p_languages, p_lines, p_refusals, p_contents, p_imports, p_definitions, p_chunks)
        as f (digest, language, lines, refusal, content, imports, definitions, chunks)
    -- In one order, so that two processes never wait for each other.
    order by f.digest, f.language
    on conflict (digest, language) do update
    set version = excluded.version, used_on = excluded.used_on, lines = excluded.lines, refusal = excluded.refusal,
        content = excluded.content, imports = excluded.imports, definitions = excluded.definitions, chunks = excluded.chunks
    where code_files.version <> excluded.version
$$;
