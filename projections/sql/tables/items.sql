-- One row an item on the stream's current branch. windows is empty once the item has left every window.
create table backstory.items (
    stream_id   uuid not null,
    brought_at  timestamptz not null,
    touched_at  timestamptz not null,
    importance  float8 not null,
    item        integer not null,
    changed     integer not null,
    tokens      integer not null,
    accesses    integer not null,
    private     boolean not null,
    tier        text not null,
    type        text not null,
    windows     text[] not null,
    encoding    text,
    agent       text,
    task        text,
    item_references integer[],
    recounts    jsonb,
    origin      uuid,
    primary key (stream_id, item)
);
