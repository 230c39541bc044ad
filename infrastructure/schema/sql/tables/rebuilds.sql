-- How far the last rebuild of all read models has come, so that an interrupted one goes on: sessions are done in the
-- order of their beginnings, and this is the last one of which all before it are done.
create table backstory.rebuilds (
    projections       text not null primary key,
    started_at        timestamptz not null,
    finished_at       timestamptz,
    stream_started_at timestamptz,
    last_stream       uuid,
    sessions          integer not null,
    events            bigint not null
);
