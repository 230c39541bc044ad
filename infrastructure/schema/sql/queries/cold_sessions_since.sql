-- The same, of the sessions that have events after a position of the feed.
select s.stream_id
from backstory.streams s
left join lateral (
    select coalesce(max(n.version), 0) as version
    from backstory.snapshots n
    where n.stream_id = s.stream_id and n.fold_version = %(fold)s
) as kept on true
where s.kind = 'session' and s.stream_id > %(after)s
    and s.stream_id in (select e.stream_id from backstory.events e where e.position > %(since)s)
    and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
    and (s.version - kept.version > %(behind)s
         or exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id and m.version > kept.version))
order by s.stream_id
limit %(limit)s;
