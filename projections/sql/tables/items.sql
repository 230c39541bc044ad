-- One row an item on the stream's current branch. windows is empty once the item has left every window; it goes on
-- cooling, and an access warms it. cools_from and warms_until are null while the session is ended. In whole minutes many
-- items share one, and an index keeps what they share once.
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
    origin      text not null,
    trust       smallint not null,
    quarantined boolean not null,
    flags       text[] not null,
    brought_in  uuid,
    cools_from  integer,
    warms_until integer,
    primary key (stream_id, item)
);
create index items_cool on backstory.items (cools_from) where cools_from is not null;
create index items_decided on backstory.items (stream_id, item) where type = 'decision';
create index items_flagged on backstory.items (stream_id, item) where flags <> '{}';
create index items_quarantined on backstory.items (stream_id, item) where quarantined;
create index items_warm on backstory.items (warms_until) where warms_until is not null;
