-- What remains of a purged stream: its length and its final chain.
create table backstory.tombstones (
    stream_id uuid not null primary key,
    version   integer not null,
    chain     bytea not null,
    purged_at timestamptz not null default now()
);
