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
