-- Exports that were audited and are being imported, so that an interrupted import does not audit them again.
create table backstory.audited_files (
    digest     bytea not null primary key,
    audited_at timestamptz not null,
    audited_by text not null
);
