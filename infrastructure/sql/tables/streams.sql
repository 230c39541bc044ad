-- The head of every stream: where the next event goes, what it chains to, which epoch its writer must carry.
-- No column that an append changes is indexed, so each update stays on its page (HOT).
create table backstory.streams (
    stream_id   uuid not null primary key,
    kind        text not null,
    version     integer not null,
    epoch       integer not null,
    chain       bytea not null,
    started_at  timestamptz not null,
    recorded_at timestamptz not null,
    labels      jsonb not null default '{}',
    counts      jsonb not null default '{}'
) with (fillfactor = 60);
