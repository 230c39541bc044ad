-- How far the last rebuild of all read models has come, so that an interrupted one goes on.
create table backstory.rebuilds (
    projections       text not null primary key,
    started_at        timestamptz not null,
    finished_at       timestamptz,
    stream_started_at timestamptz,
    last_stream       uuid,
    sessions          integer not null,
    events            bigint not null
);
