-- The first schema. Frozen: later changes are migrations of their own.

-- The head of every stream: where the next event goes, what it chains to, which epoch its writer must carry. summary
-- is the stream's read model in one document, so that an append changes one row: labels, windows with their settings,
-- and flat tallies (type:message, items:main, tokens:main), which one concatenation renews. No column that an append
-- changes is indexed: each update stays on its page (HOT).
create table backstory.streams (
    stream_id   uuid not null primary key,
    started_at  timestamptz not null,
    recorded_at timestamptz not null,
    version     integer not null,
    epoch       integer not null,
    kind        text not null,
    chain       bytea not null,
    summary     jsonb not null
) with (fillfactor = 50);

-- The log. occurred_at is null where it is the recorded time. payload and effects are never read back from columns
-- of their own: the chain is over their exact bytes.
create table backstory.events (
    stream_id      uuid not null,
    position       bigint not null,
    recorded_at    timestamptz not null,
    occurred_at    timestamptz,
    version        integer not null,
    epoch          integer not null,
    cause          integer,
    schema_version smallint not null,
    type           text not null,
    actor          text,
    chain          bytea not null,
    effects        text,
    payload        bytea not null,
    primary key (stream_id, version)
);
create index events_position on backstory.events (position);
create sequence backstory.positions;

-- Exact bytes beside the log, named by place (version, part) and proved by the digest that the event holds.
-- Salt and bytes die with the row, so an erased content cannot be guessed from its digest. A content over 1 KB whose
-- bytes already stand in the stream keeps a salt of its own and points at its twin instead of storing them again.
create table backstory.contents (
    stream_id    uuid not null,
    version      integer not null,
    part         smallint not null,
    twin_part    smallint,
    twin_version integer,
    salt         bytea not null,
    media_type   text,
    fingerprint  bytea,
    bytes        bytea,
    primary key (stream_id, version, part)
);
create index contents_fingerprint on backstory.contents (stream_id, fingerprint) where fingerprint is not null;

-- One row for each append call that carried an idempotency key: what it wrote, and a fingerprint of what was asked.
-- proof ties the row to the chain after the call.
create table backstory.appends (
    stream_id     uuid not null,
    key           text not null,
    first_version integer not null,
    last_version  integer not null,
    fingerprint   bytea not null,
    proof         bytea not null,
    primary key (stream_id, key)
);

-- States kept so that a read folds few events. Droppable: a missing one is made anew from the log.
create table backstory.snapshots (
    stream_id    uuid not null,
    version      integer not null,
    fold_version integer not null,
    state        bytea not null,
    primary key (stream_id, version, fold_version)
);

-- How far each consumer of the feed has come.
create table backstory.tracking (
    consumer text not null,
    position bigint not null,
    primary key (consumer, position)
);

-- What remains of a purged stream: its length and its final chain.
create table backstory.tombstones (
    stream_id uuid not null primary key,
    version   integer not null,
    chain     bytea not null,
    purged_at timestamptz not null default now()
);

-- Reserved for signed chain hashes that are also kept outside the database.
create table backstory.anchors (
    stream_id   uuid not null,
    version     integer not null,
    chain       bytea not null,
    anchored_at timestamptz not null,
    key_id      text not null,
    signature   bytea not null,
    primary key (stream_id, version, key_id)
);

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

-- Where a stream's history does not follow from the version before it: a backtrack, or a fork's first event.
create table backstory.seams (
    stream_id       uuid not null,
    version         integer not null,
    resumed_stream  uuid not null,
    resumed_version integer not null,
    primary key (stream_id, version)
);

-- Named versions with the chain there. They outlive backtracks: a checkpoint of an abandoned branch is a way to redo it.
create table backstory.checkpoints (
    stream_id uuid not null,
    version   integer not null,
    name      text not null,
    primary key (stream_id, version)
);
