-- name: lock_rebuild
-- Whether this is the one that rebuilds all read models. lock_stream.sql lists the locks' numbers.
select pg_try_advisory_lock(20268);

-- name: begin_rebuild
-- Notes that a rebuild begins.
insert into backstory.rebuilds (projections, started_at, sessions, events)
values (%s, clock_timestamp(), 0, 0)
on conflict (projections) do update
set started_at = excluded.started_at, finished_at = null, stream_started_at = null, last_stream = null, sessions = 0,
    events = 0;

-- name: note_rebuild
-- Notes how far a rebuild has come, and at its end that it is done.
update backstory.rebuilds
set stream_started_at = coalesce(%s, stream_started_at), last_stream = coalesce(%s, last_stream), sessions = %s,
    events = %s, finished_at = case when %s then clock_timestamp() end
where projections = %s;

-- name: last_rebuild
-- The last rebuild of these projections.
select started_at, finished_at, stream_started_at, last_stream, sessions, events
from backstory.rebuilds
where projections = %s;

-- name: streams_to_rebuild
-- Streams with the number of their own events, those that others begin in first.
select s.stream_id, s.started_at, s.version - coalesce(origin.resumed_version, 0)
from backstory.streams s
left join lateral (
    select branch_point.resumed_version
    from backstory.branch_points branch_point
    where branch_point.stream_id = s.stream_id and branch_point.resumed_stream <> s.stream_id
    order by branch_point.version
    limit 1
) as origin on true
where %(streams)s::uuid[] is null or s.stream_id = any (%(streams)s)
order by s.started_at, s.stream_id;

-- name: delete_headless_rows
-- Takes out a table's rows of streams that have no row of their own.
delete from {table} t
where not exists (select 1 from backstory.streams s where s.stream_id = t.stream_id);

-- name: keep_drafts_here
-- Keeps what a rebuild makes for itself on this machine, where there are several. A plain Postgres takes no notice.
select set_config('citus.enable_ddl_propagation', 'off', false);

-- name: create_draft_items
-- Where a rebuild draws items, beside those in use.
create temporary table items (like backstory.items, primary key (stream_id, item));

-- name: create_draft_checkpoints
-- Where a rebuild draws checkpoints, beside those in use.
create temporary table checkpoints (like backstory.checkpoints, primary key (stream_id, version));

-- name: create_draft_branch_points
-- Where a rebuild draws branch points, beside those in use.
create temporary table branch_points (like backstory.branch_points, primary key (stream_id, version));

-- name: empty_drafts
-- Forgets what was drawn.
truncate pg_temp.items, pg_temp.checkpoints, pg_temp.branch_points;

-- name: forget_draft
-- Forgets what was drawn in a table of one stream.
delete from {draft}
where stream_id = %s;

-- name: logged_stream
-- A stream's own row, and the ends of its log.
select s.kind, s.version, s.epoch, s.chain, s.started_at, s.recorded_at, s.summary::text, log.first, log.events,
       newest.chain, newest.epoch, oldest.recorded_at, newest.recorded_at
from backstory.streams s
cross join lateral (
    select min(e.version) as first, count(*) as events
    from backstory.events e
    where e.stream_id = s.stream_id
) as log
left join backstory.events oldest on oldest.stream_id = s.stream_id and oldest.version = log.first
left join backstory.events newest on newest.stream_id = s.stream_id and newest.version = s.version
where s.stream_id = %s;

-- name: branch_points_in_log
-- The branch points that a stream's events beyond a version tell of.
select e.version, (e.effects::jsonb #>> '{resumes,stream}')::uuid, (e.effects::jsonb #>> '{resumes,version}')::integer
from backstory.events e
where e.stream_id = %s and e.version > %s and e.effects like '%%"resumes"%%' and e.effects::jsonb ? 'resumes'
order by e.version;

-- name: begin_draft
-- Starts the drawing of a stream at the root of its branch.
select pg_temp.begin_branch(%s, %s::jsonb)::text;

-- name: draw_events
-- Applies a run of a stream's events to what is drawn of it.
select pg_temp.apply_events(%s, %s, %s, %s::jsonb)::text;

-- name: draw_checkpoints
-- Draws the checkpoints that a stream's events beyond a version name, those of abandoned branches too.
select count(pg_temp.apply_effects(
    e.stream_id, e.version, e.recorded_at, jsonb_build_object('marks', e.effects::jsonb -> 'marks'), '{}'))
from backstory.events e
where e.stream_id = %s and e.version > %s and e.effects like '%%"marks"%%' and e.effects::jsonb ? 'marks';

-- name: draw_branch_points
-- Draws a stream's branch points.
insert into pg_temp.branch_points (stream_id, version, resumed_stream, resumed_version)
select %s, branch_point.version, branch_point.resumed_stream, branch_point.resumed_version
from unnest(%s::integer[], %s::uuid[], %s::integer[]) as branch_point (version, resumed_stream, resumed_version)
on conflict do nothing;

-- name: differing_rows
-- The keys of a stream's rows that are not what was drawn, missing ones and ones too many among them.
with used as materialized (select * from {table} where stream_id = %(stream)s),
    drawn as materialized (select * from {draft} where stream_id = %(stream)s)
select coalesce(array_agg({key} order by {key}), '{{}}')
from used
full join drawn using (stream_id, {key})
where row(used.*) is distinct from row(drawn.*);

-- name: rows_as_drawn
-- Some of a stream's rows, as they are and as they were drawn.
with used as materialized (select * from {table} where stream_id = %(stream)s and {key} = any (%(keys)s)),
    drawn as materialized (select * from {draft} where stream_id = %(stream)s and {key} = any (%(keys)s))
select {key}, to_jsonb(used), to_jsonb(drawn)
from used
full join drawn using (stream_id, {key})
order by {key};

-- name: delete_rows
-- Takes some of a stream's rows out.
delete from {table}
where stream_id = %(stream)s and {key} = any (%(keys)s);

-- name: insert_drawn_rows
-- Puts in some of a stream's rows as they were drawn.
insert into {table}
select *
from {draft}
where stream_id = %(stream)s and {key} = any (%(keys)s);

-- name: replace_head
-- Puts into a stream's own row what follows from its log.
update backstory.streams
set summary = %s::jsonb, epoch = %s, started_at = %s, recorded_at = %s
where stream_id = %s;
