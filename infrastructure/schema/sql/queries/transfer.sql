-- name: streams_to_export
-- The memory and the sessions of these projects, or every stream, among those of the projects that a caller may see.
select s.stream_id, s.summary #>> '{labels,project}'
from backstory.streams s
where s.kind in ('session', 'project')
    and (%(projects)s::text[] is null or s.summary #>> '{labels,project}' = any (%(projects)s))
    and (%(visible)s::text[] is null or s.summary #>> '{labels,project}' = any (%(visible)s))
order by s.kind = 'session', s.started_at, s.stream_id;

-- name: events_to_export
-- The oldest of a stream's own events in a range of versions: every column that is under the chain, and the chain.
select stream_id, version, type, schema_version, recorded_at, occurred_at, epoch, cause, actor, caller, effects, payload,
       chain
from backstory.events
where stream_id = %s and version > %s and version <= %s
order by version
limit %s;

-- name: contents_to_export
-- A stream's contents in a range of versions, in order: with their bytes as long as those are not too many together,
-- then without. The sizes are known without reading the bytes.
select version, part, media_type, salt, shared_version, shared_part, octet_length(bytes),
       case when sum(octet_length(bytes)) over (order by version, part) <= %s then bytes end
from backstory.contents
where stream_id = %s and version between %s and %s
order by version, part;

-- name: appends_in_order
-- A stream's idempotency keys in the order in which their appends ended, those of one event by the bytes of their keys.
select key, first_version, last_version, fingerprint, proof
from backstory.appends
where stream_id = %s
order by last_version, key collate "C";

-- name: import_events
-- One batch of an imported stream's events. Payloads go over in binary: as text, each byte would be escaped twice.
select backstory.import_events(
    %(stream)s, %(kind)s, %(first)s, %(origin_chain)s, %(chain)s, %(events)s::jsonb, %(payloads)b::bytea[]
);

-- name: import_contents
-- One batch of an imported stream's contents.
select backstory.import_contents(%s, %s::jsonb, %b::bytea[]);

-- name: import_appends
-- One batch of an imported stream's idempotency keys.
select backstory.import_appends(%s, %s::jsonb);

-- name: finish_import
-- The end of an import.
select backstory.finish_import(%s, %s, %s, %s);

-- name: retention_rules
-- The retention rules, the newest of each project first.
select project, action, after_days, directory, compressed, set_at, set_by, keeps_memories
from backstory.retention_rules
order by project, number desc;

-- name: set_retention
-- A project's next retention rule.
select backstory.set_retention(%s, %s, %s, %s, %s, %s, %s);
