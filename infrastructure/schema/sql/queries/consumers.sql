-- name: track
-- Notes how far a consumer of the feed has come.
select backstory.track(%s, %s::bigint);

-- name: newest_tracked_position
-- How far a consumer of the feed has come.
select max(position)
from backstory.tracking
where consumer = %s;

-- name: feed_lag
-- How far the feed and each of its consumers have come, the newest event's position, and the age in seconds of the oldest
-- event beyond. The feed itself comes first, without a name; a horizon that a reader noted is no consumer.
select p.consumer, p.position, coalesce((select max(position) from backstory.events), 0),
       coalesce((
           select greatest(0, extract(epoch from clock_timestamp() - e.recorded_at))::float8
           from backstory.events e
           where e.position > p.position
           order by e.position
           limit 1), 0)
from (
    select null as consumer, %s::bigint as position
    union all
    select t.consumer, max(t.position)
    from backstory.tracking t
    where t.consumer <> 'backstory:feed'
    group by t.consumer
) p
order by p.consumer nulls first;

-- name: feed_positions
-- The positions of events in a range, of some types or of all.
select position
from backstory.events
where position > %(after)s and position <= %(upto)s and (%(types)s::text[] is null or type = any (%(types)s))
order by position;

-- name: end_of_batch
-- The position of the last of so many events after a position, none of them beyond another; null when there are none.
select max(position)
from (
    select position
    from backstory.events
    where position > %s and position <= %s
    order by position
    limit %s
) batch;

-- name: enter_projection
-- Holds off whoever would make a projection anew, to the end of the transaction; false when somebody is at it.
select pg_try_advisory_xact_lock_shared(20266, hashtext(%s));

-- name: hold_projection
-- Keeps everybody else from applying events to a projection, until the connection ends.
select pg_advisory_lock(20266, hashtext(%s));

-- name: lead_projection
-- Takes the lead of a projection, until the connection ends, unless another process has it.
select pg_try_advisory_lock(20265, hashtext(%s));

-- name: projection_leaders
-- The process that leads each of these projections.
select p.name, l.pid
from unnest(%s::text[]) as p (name)
join pg_locks l on l.locktype = 'advisory' and l.classid = 20265 and l.objsubid = 2 and l.granted
    and l.objid = (hashtext(p.name)::bigint & 4294967295)::oid
    and l.database = (select oid from pg_database where datname = current_database());

-- name: start_over
-- Forgets how far a consumer has come, and what it has set aside.
select backstory.start_over(%s);

-- name: set_aside
-- Notes an event that a consumer goes on without.
select backstory.set_aside(%s, %s::bigint, %s::integer, %s);

-- name: take_up
-- Whether an event was set aside for a consumer; it no longer is.
select backstory.take_up(%s, %s::bigint);

-- name: events_set_aside
-- What consumers of the feed went on without: of one consumer, or of all.
select consumer, position, stream_id, version, type, reason, attempts, set_aside_at
from backstory.set_aside
where %(consumer)s::text is null or consumer = %(consumer)s
order by consumer, position;

-- name: act_as_login
-- Goes on as the role that logged in, to the end of the transaction.
set local role none;

-- name: act_as_service
-- Goes on as the service role, to the end of the transaction.
set local role backstory_service;
