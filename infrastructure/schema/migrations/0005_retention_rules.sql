-- How long the ended sessions of each project are kept.
create table backstory.retention_rules (
    project    text not null,
    number     integer not null,
    action     text not null,
    after_days integer,
    directory  text,
    compressed boolean not null,
    set_at     timestamptz not null,
    set_by     text,
    primary key (project, number)
);
