-- name: projects
-- Projects, the most recently active first: those that sessions belong to and those with a memory. An agent's own
-- memories are not counted.
select p.name, p.sessions, p.open, coalesce(m.memories, 0), p.last_activity
from (
    select s.summary #>> '{labels,project}' as name,
           count(*) filter (where s.kind = 'session') as sessions,
           count(*) filter (where s.kind = 'session'
               and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended') as open,
           max(least(work.occurred_at, s.recorded_at)) as last_activity
    from backstory.streams s
    left join lateral (
        select coalesce(e.occurred_at, e.recorded_at) as occurred_at
        from backstory.events e
        where e.stream_id = s.stream_id and e.type <> all (%(upkeep)s)
        order by e.version desc
        limit 1
    ) work on true
    where s.kind in ('session', 'project') and s.summary #>> '{labels,project}' is not null
        and (%(projects)s::text[] is null or s.summary #>> '{labels,project}' = any (%(projects)s))
    group by 1
    order by 4 desc, 1
    limit %(limit)s
) p
left join lateral (
    select count(*) as memories
    from backstory.streams s
    join backstory.items i on i.stream_id = s.stream_id
    where s.kind = 'project' and s.summary #>> '{labels,project}' = p.name
        and i.type = 'memory' and not i.private and cardinality(i.windows) > 0
) m on true
order by p.last_activity desc, p.name;

-- name: project_sessions_since
-- The sessions of projects with events after one position of the feed and up to another.
select s.stream_id
from backstory.streams s
where s.kind = 'session' and s.summary #>> '{labels,project}' is not null
    and s.stream_id in (
        select e.stream_id from backstory.events e where e.position > %s and e.position <= %s
    )
order by s.stream_id;
