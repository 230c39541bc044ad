-- name: feed
-- Events of all streams in a range of positions, of some types or of all.
select stream_id, version, type, payload, position
from backstory.events
where position between %(first)s and %(last)s and (%(types)s::text[] is null or type = any (%(types)s))
order by position
limit %(limit)s;

-- name: feed_events
-- Events of all streams in a range of positions, whole, with the project that each one's session belongs to now: of some
-- types or of all, of one project and one actor or of any, and that occurred in a span of time.
select e.stream_id, e.version, e.type, e.schema_version, e.recorded_at, e.occurred_at, e.epoch, e.cause, e.actor,
       e.caller, e.effects, e.payload, e.position, s.summary #>> '{labels,project}'
from backstory.events e
left join backstory.streams s on s.stream_id = e.stream_id
where e.position > %(after)s and e.position <= %(upto)s
    and (%(types)s::text[] is null or e.type = any (%(types)s))
    and (%(project)s::text is null or s.summary #>> '{labels,project}' = %(project)s)
    and (%(projects)s::text[] is null or s.summary #>> '{labels,project}' = any (%(projects)s))
    and (%(actor)s::text is null or e.actor = %(actor)s)
    and (%(since)s::timestamptz is null or coalesce(e.occurred_at, e.recorded_at) >= %(since)s)
    and (%(until)s::timestamptz is null or coalesce(e.occurred_at, e.recorded_at) < %(until)s)
order by e.position
limit %(limit)s;

-- name: positions_from
-- The places in the feed of a stream's events from a version on.
select version, position
from backstory.events
where stream_id = %s and version >= %s;

-- name: newest_position
-- The place in the feed of the newest event.
select max(position)
from backstory.events;

-- name: last_drawn_position
-- The last place in the feed that was drawn, if any was.
select last_value, is_called
from backstory.positions;

-- name: mark_feed
-- The newest position that was drawn, a transaction id that was taken after that, and the horizon that was noted last.
select backstory.mark_feed(%s::bigint);

-- name: running_transactions
-- The oldest transaction id that is not done, and one after every id that is.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint;

-- name: stalling_process
-- The process whose transaction is the oldest that is not done, or the name that it was prepared under. Every transaction
-- holds a lock on its own id, and locks are shown to all; what others do is not.
select l.pid, p.gid
from pg_locks l
left join pg_prepared_xacts p on p.transaction = l.transactionid
where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
    and l.transactionid = pg_snapshot_xmin(pg_current_snapshot())::xid and l.pid is distinct from pg_backend_pid();

-- name: listen
-- Hears of new events from now on.
listen backstory;

-- name: notify
-- Says that there are new events, and in which streams.
select pg_notify('backstory', %s);
