-- The code files that were indexed, by the digest of their bytes: its terms, its imports, its
-- definitions and the terms of these. Projects and processes share them. A row may be removed at any time; it is made anew
-- from the file.
create table backstory.code_files (
    digest      bytea not null,
    language    text not null,
    version     integer not null,
    used_on     date not null,
    lines       integer not null,
    refusal     text,
    content     bytea not null,
    imports     bytea not null,
    definitions bytea not null,
    chunks      bytea not null,
    primary key (digest, language)
);
