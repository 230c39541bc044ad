-- Exports that were audited and are being imported, so that an interrupted import does not audit them again: SHA-256 of all
-- their bytes, uncompressed, and the code that audited them. An import that is done takes its own away.
create table backstory.audited_files (
    digest     bytea not null primary key,
    audited_at timestamptz not null,
    audited_by text not null
);
