-- name: found_segments
-- The segments of these streams' search index, each with all its buckets, or with those that hold any of some terms, by
-- their checksums. In one statement, since segments are merged while others read.
select s.stream_id, s.first_version, s.last_version, s.documents, array(
    select p.postings
    from backstory.search_postings p
    where p.stream_id = s.stream_id and p.first_version = s.first_version
        and (%(checksums)s::bigint[] is null or p.bucket = any (array(
            select distinct checksum %% s.buckets from unnest(%(checksums)s::bigint[]) checksum)))
    order by p.bucket)
from backstory.search_segments s
where s.stream_id = any (%(streams)s) and s.terms = %(terms)s
order by s.stream_id, s.first_version;

-- name: segment_ranges
-- What a stream's search index covers: ranges of versions, and how many texts and buckets each holds.
select first_version, last_version, entries, buckets
from backstory.search_segments
where stream_id = %s and terms = %s
order by first_version;

-- name: segment
-- One segment with all its buckets.
select s.documents, array(
    select p.postings
    from backstory.search_postings p
    where p.stream_id = s.stream_id and p.first_version = s.first_version
    order by p.bucket)
from backstory.search_segments s
where s.stream_id = %s and s.first_version = %s;

-- name: versions_with_text
-- The events of a stream's own in a range of versions that bring an item, or hold more of one.
select version
from backstory.events
where stream_id = %s and version between %s and %s and effects is not null
    and effects::jsonb ?| '{brings,extends,revises}'
order by version;

-- name: streams_in_feed
-- The streams with events in a range of positions, and the newest version of each in it.
select e.stream_id, max(e.version)
from backstory.events e
join backstory.streams s on s.stream_id = e.stream_id and s.kind in ('session', 'project')
where e.position > %s and e.position <= %s
group by e.stream_id
order by e.stream_id;

-- name: sessions_in_feed
-- The sessions of projects with events in a range of positions: the project that each belongs to now, and its first and
-- last version in the range.
select e.stream_id, s.summary #>> '{labels,project}', min(e.version), max(e.version)
from backstory.events e
join backstory.streams s on s.stream_id = e.stream_id and s.kind = 'session'
where e.position > %s and e.position <= %s and s.summary #>> '{labels,project}' is not null
group by e.stream_id, s.summary
order by min(e.position);

-- name: streams_to_search
-- The sessions of a project and the project itself, or all of both, or some of these, with the newest version of each, and
-- the name of what is a project.
select stream_id, version, case when kind = 'project' then summary #>> '{labels,project}' end
from backstory.streams
where kind in ('session', 'project')
    and (%(project)s::text is null or summary #>> '{labels,project}' = %(project)s)
    and (%(projects)s::text[] is null or summary #>> '{labels,project}' = any (%(projects)s))
    and (%(streams)s::uuid[] is null or stream_id = any (%(streams)s))
order by started_at, stream_id;

-- name: branch_points_of_all
-- The branch points of these streams.
select stream_id, version, resumed_stream, resumed_version
from backstory.branch_points
where stream_id = any (%s)
order by stream_id, version;

-- name: hold_index
-- Holds a stream's part of the search index to the end of the transaction.
select backstory.hold_index(%s);

-- name: save_segment
-- Adds a segment to a stream's search index.
select backstory.save_segment(%s, %s::integer, %s::integer, %s::integer, %s::smallint, %s::bytea, %s::bytea[]);

-- name: forget_index
-- Empties the search index.
select backstory.forget_index();
