-- name: task_events
-- The events of some types in the sessions of a project's tasks, in the order of the log.
select e.stream_id, e.version, e.type, convert_from(e.payload, 'UTF8')::jsonb
from backstory.streams s
join backstory.events e on e.stream_id = s.stream_id
where s.kind = 'session' and s.summary #>> '{labels,project}' = %(project)s and s.summary #> '{labels,tags}' ? %(tag)s
    and (%(status)s::text is null or coalesce(s.summary #>> '{labels,status}', 'open') = %(status)s)
    and e.type = any (%(types)s)
order by e.stream_id, e.version;

-- name: recorded_texts
-- Where a stream holds texts, by their fingerprints.
select fingerprint, version, part
from backstory.contents
where stream_id = %(stream)s and fingerprint = any (%(fingerprints)s) and bytes is not null;
