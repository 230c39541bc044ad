-- name: events_that_resume
-- A stream's own events that may be branch points.
select version, effects
from backstory.events
where stream_id = %s and effects like '%%"resumes"%%'
order by version;

-- name: appends_after
-- A stream's idempotency keys beyond one, a batch of them, with the chain of the last event that each stands for.
select a.key, a.first_version, a.fingerprint, a.proof, e.chain
from backstory.appends a
left join backstory.events e on e.stream_id = a.stream_id and e.version = a.last_version
where a.stream_id = %s and (%s::text is null or a.key > %s)
order by a.key
limit %s;

-- name: contents_without_bytes
-- A stream's contents in a range of versions, without their bytes.
select version, part, coalesce(media_type, 'text/plain'), salt, fingerprint, shared_version, shared_part,
       octet_length(bytes)
from backstory.contents
where stream_id = %s and version between %s and %s
order by version, part;

-- name: content_bytes_at
-- The bytes that are at these places of a stream themselves.
select version, part, bytes
from unnest(%s::integer[], %s::smallint[]) as place (version, part)
join backstory.contents using (version, part)
where stream_id = %s;

-- name: content_sizes_at
-- How many bytes there are at these places of a stream.
select version, part, octet_length(bytes)
from unnest(%s::integer[], %s::smallint[]) as place (version, part)
join backstory.contents using (version, part)
where stream_id = %s;

-- name: content_without_event
-- The first of a stream's contents that has no event.
select version, part
from backstory.contents c
where stream_id = %s
    and not exists (select 1 from backstory.events e where e.stream_id = c.stream_id and e.version = c.version)
order by 1, 2
limit 1;

-- name: snapshot_at
-- The state that is kept of a version.
select state
from backstory.snapshots
where stream_id = %s and fold_version = %s and version = %s;

-- name: snapshot_versions
-- The versions of a stream that a state is kept of.
select version
from backstory.snapshots
where stream_id = %s and fold_version = %s;

-- name: stream_in_table
-- Whether a table has a row of a stream.
select 1
from {table}
where stream_id = %s
limit 1;

-- name: headless_streams
-- The streams that a table has rows of and that have no row of their own.
select distinct stream_id
from {table} t
where not exists (select 1 from backstory.streams s where s.stream_id = t.stream_id)
order by 1;

-- name: positions_given_twice
-- Places in the feed that several events have.
select position
from backstory.events
group by position
having count(*) > 1
order by 1
limit 100;
