-- name: version_at
-- The newest version of a stream that was recorded up to a moment.
select version from backstory.events where stream_id = %s and recorded_at <= %s order by version desc limit 1;

-- name: head
-- A stream's own row.
select stream_id, kind, version, epoch, chain, started_at, recorded_at, summary
from backstory.streams
where stream_id = %s;

-- name: end_of_log
-- Of the log itself, not of the stream's row.
select version, recorded_at from backstory.events where stream_id = %s order by version desc limit 1;

-- name: removals
-- The events in these pieces of a stream that take items out of windows.
select version, type, effects
from backstory.events e
where stream_id = %s and effects like '%%"removes"%%'
    and exists (
        select 1 from unnest(%s::integer[], %s::integer[]) as piece (first, last)
        where e.version between piece.first and piece.last)
order by version;

-- name: tombstone
-- What remains of a purged stream.
select version, chain, purged_at
from backstory.tombstones
where stream_id = %s;

-- name: streams
-- Every stream.
select stream_id
from backstory.streams
order by 1;

-- name: heads_to_anchor
-- The newest version of these streams, or of all, with the chain in the stream's row and in its newest event.
select s.stream_id, s.version, s.chain, e.chain
from backstory.streams s
left join backstory.events e on e.stream_id = s.stream_id and e.version = s.version
where %(ids)s::uuid[] is null or s.stream_id = any (%(ids)s)
order by 1;

-- name: chain_at
-- The chain at a version of a stream.
select chain
from backstory.events
where stream_id = %s and version = %s;

-- name: events
-- A stream's own events in a range of versions, oldest first.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects,
       chain, position
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version;

-- name: memories_made_from
-- The memories of all projects that were made from items of these streams, by project, oldest first.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects,
       chain, position
from backstory.events
where type = 'memory.recorded' and effects::jsonb #> '{brings,made_from}' ?| %s::text[]
order by stream_id, version;

-- name: first_events
-- The oldest of a stream's own events in a range of versions.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects,
       chain, position
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version
limit %s;

-- name: last_events
-- The newest of a stream's own events in a range of versions, newest first; all of them where the limit is null.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects,
       chain, position
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version desc
limit %s;

-- name: events_at
-- A stream's own events of these versions.
select stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects,
       chain, position
from backstory.events
where stream_id = %s and version = any (%s)
order by version;

-- name: events_with_contents
-- A stream's own events of these versions, once for each of their contents, shared bytes resolved. The fence (offset 0) keeps
-- the planner from joining whole streams: a plan made while the tables were small is kept after they have grown.
select e.stream_id, e.version, e.type, e.payload, e.schema_version, e.recorded_at, e.occurred_at, e.epoch, e.cause,
       e.actor, e.caller, e.effects, e.chain, e.position, c.part,
       c.media_type, c.salt, c.bytes
from backstory.events e
left join lateral (
    select o.part, coalesce(o.media_type, 'text/plain') as media_type, o.salt, coalesce(o.bytes, (
        select t.bytes from backstory.contents t
        where t.stream_id = o.stream_id and t.version = o.shared_version and t.part = o.shared_part)) as bytes
    from backstory.contents o
    where o.stream_id = e.stream_id and o.version = e.version
    offset 0
) c on true
where e.stream_id = %s and e.version = any (%s)
order by e.version, c.part;

-- name: payloads_of_type
-- The payloads of a stream's own events of one type, after a version.
select payload
from backstory.events
where stream_id = %s and type = %s and version > %s
order by version;

-- name: versions_of_item
-- The stream's own events in a range of versions that hold an item's contents: the one that brought it and those that
-- extended or revised it, and of each whether it replaced what was there before.
select version, coalesce(effects::jsonb #>> '{revises,item}' = %(named)s, false)
from backstory.events
where stream_id = %(stream)s and version between %(first)s and %(last)s
    and effects is not null
    and ((version = %(item)s and effects::jsonb ? 'brings')
        or effects::jsonb #>> '{extends,item}' = %(named)s
        or effects::jsonb #>> '{revises,item}' = %(named)s)
order by version;

-- name: versions_of_type
-- The versions in these pieces of a stream whose events are of one of these types.
select version
from backstory.events e
where stream_id = %s and type = any (%s)
    and exists (
        select 1 from unnest(%s::integer[], %s::integer[]) as piece (first, last)
        where e.version between piece.first and piece.last)
order by version;
