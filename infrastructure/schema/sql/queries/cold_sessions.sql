-- Open sessions after an id whose newest snapshot of a fold is so far behind, or before their newest branch point, that a read
-- has to fold a long stretch first.
select s.stream_id
from backstory.streams s
left join lateral (
    select coalesce(max(n.version), 0) as version
    from backstory.snapshots n
    where n.stream_id = s.stream_id and n.fold_version = %(fold)s
) as kept on true
where s.kind = 'session' and s.stream_id > %(after)s
    and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
    and (s.version - kept.version > %(behind)s
         or exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id and m.version > kept.version))
order by s.stream_id
limit %(limit)s;
