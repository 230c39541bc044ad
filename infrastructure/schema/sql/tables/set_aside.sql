-- Events that a consumer of the feed could not apply and went on without, with the reason. Once the consumer is mended they
-- are taken up again.
create table backstory.set_aside (
    consumer     text not null,
    position     bigint not null,
    stream_id    uuid not null,
    version      integer not null,
    attempts     integer not null,
    set_aside_at timestamptz not null,
    type         text not null,
    reason       text not null,
    primary key (consumer, position)
);
