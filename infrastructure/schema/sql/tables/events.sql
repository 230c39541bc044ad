-- The log. occurred_at is null where it is the recorded time. payload and effects are never read back from columns
-- of their own: the chain is over their exact bytes. actor is whom the writer named; caller is the key it wrote with.
create table backstory.events (
    stream_id      uuid not null,
    position       bigint not null,
    recorded_at    timestamptz not null,
    occurred_at    timestamptz,
    version        integer not null,
    epoch          integer not null,
    cause          integer constraint cause_is_earlier check (cause < version),
    schema_version smallint not null,
    type           text not null,
    actor          text,
    caller         text,
    chain          bytea not null,
    effects        text,
    payload        bytea not null,
    primary key (stream_id, version)
);
create index events_position on backstory.events (position);
create index events_called on backstory.events (stream_id, version) where type = 'model.called';
create index events_made_from on backstory.events using gin ((effects::jsonb #> '{brings,made_from}'))
    where type = 'memory.recorded';
