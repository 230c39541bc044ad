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
