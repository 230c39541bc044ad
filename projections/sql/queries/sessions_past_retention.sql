-- The ended sessions of a project whose last event is older than a moment and that still have something to take away,
-- newest first: a fork comes before what it began in.
select s.stream_id, s.recorded_at
from backstory.streams s
where s.kind = 'session' and s.summary #>> '{labels,project}' = %(project)s
    and s.summary #>> '{labels,status}' = 'ended' and s.recorded_at < %(before)s
    and (%(whole)s or exists (
        select 1 from backstory.contents c
        join backstory.events e on e.stream_id = c.stream_id and e.version = c.version
        where c.stream_id = s.stream_id and e.type <> 'content.erased'))
order by s.started_at desc, s.stream_id desc;
