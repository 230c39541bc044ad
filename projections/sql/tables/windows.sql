-- Each window's settings and usage: the number of live items and the sum of their tokens.
create table backstory.windows (
    stream_id   uuid not null,
    name        text not null,
    token_limit integer,
    encoding    text,
    model       text,
    items       integer not null default 0,
    tokens      bigint not null default 0,
    primary key (stream_id, name)
) with (fillfactor = 60);
