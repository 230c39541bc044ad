-- The last rebuild of these projections.
select started_at, finished_at, stream_started_at, last_stream, sessions, events
from backstory.rebuilds
where projections = %s;
