-- Sessions by what they are labelled with, those with the newest events first. The title is null where another stream
-- holds it.
select s.stream_id, s.version, s.started_at, s.recorded_at, s.summary, s.epoch, coalesce(c.bytes, t.bytes),
       (s.summary ->> 'tokens:main')::bigint, (s.summary #>> '{windows,main,limit}')::integer
from backstory.streams s
left join backstory.contents c
    on c.stream_id = s.stream_id
    and c.version = (s.summary #>> '{labels,title,version}')::integer
    and c.part = (s.summary #>> '{labels,title,part}')::integer
left join backstory.contents t
    on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
where s.kind = 'session'
    and (%(project)s::text is null or s.summary #>> '{labels,project}' = %(project)s)
    and (%(status)s::text is null or coalesce(s.summary #>> '{labels,status}', 'open') = %(status)s)
    and (%(tag)s::text is null or s.summary #> '{labels,tags}' ? %(tag)s)
    and (%(id)s::uuid is null or s.stream_id = %(id)s)
order by s.recorded_at desc
limit %(limit)s;
