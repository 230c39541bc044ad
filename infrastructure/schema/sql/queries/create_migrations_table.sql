-- Which migrations a database has had. It is there before the first of them.
create table if not exists backstory.schema_migrations (
    number     integer primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default now()
);
