-- Calls of the service that were refused to a key, and those that need the right to operate or administer: who, what,
-- when, from where, and how it ended.
create table backstory.calls (
    call_id   uuid not null primary key,
    called_at timestamptz not null,
    caller    text,
    operation text not null,
    path      text not null,
    status    integer not null,
    address   text
);
create index calls_newest on backstory.calls (called_at);
