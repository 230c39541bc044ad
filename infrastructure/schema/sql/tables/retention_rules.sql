-- How long the ended sessions of each project are kept, and what then becomes of them. Rules are never changed: the
-- newest one of a project holds, and those before it tell what held when. action: purge, erase or keep.
create table backstory.retention_rules (
    project    text not null,
    number     integer not null,
    action     text not null,
    after_days integer,
    directory  text,
    compressed boolean not null,
    set_at     timestamptz not null,
    set_by     text,
    keeps_memories boolean not null default false,
    primary key (project, number)
);
