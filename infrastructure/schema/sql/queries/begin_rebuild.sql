-- Notes that a rebuild begins.
insert into backstory.rebuilds (projections, started_at, sessions, events)
values (%s, clock_timestamp(), 0, 0)
on conflict (projections) do update
set started_at = excluded.started_at, finished_at = null, stream_started_at = null, last_stream = null, sessions = 0,
    events = 0;
