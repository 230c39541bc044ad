-- Answers of the service to writes that were made under an idempotency key and that the log alone cannot give again, for
-- a day. A row without a status stands for a request under way. Of the key only its hash is kept. A bare answer holds
-- nothing that was recorded; the others are removed by every erasure and purge.
create table backstory.answers (
    caller   text not null,
    path     text not null,
    key      bytea not null,
    request  bytea not null,
    owner    uuid not null,
    began_at timestamptz not null,
    bare     boolean not null,
    status   integer,
    body     bytea,
    primary key (caller, path, key)
);
create index answers_oldest on backstory.answers (began_at);
create index answers_owner on backstory.answers (owner);
