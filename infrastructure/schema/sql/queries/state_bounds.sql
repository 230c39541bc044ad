-- A stream's head, its newest snapshot and branch point at or below a version, or below the head where that is null, and whether
-- it has any branch point.
select s.version,
       (select coalesce(max(n.version), 0) from backstory.snapshots n
        where n.stream_id = s.stream_id and n.fold_version = %(fold)s
            and n.version <= coalesce(%(version)s, s.version)),
       (select coalesce(max(m.version), 0) from backstory.branch_points m
        where m.stream_id = s.stream_id and m.version <= coalesce(%(version)s, s.version)),
       exists (select 1 from backstory.branch_points m where m.stream_id = s.stream_id)
from backstory.streams s
where s.stream_id = %(stream)s;
