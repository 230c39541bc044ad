-- A stream's head, and its newest snapshot and seam at or below a version; below the head where that is null.
select s.version,
       (select coalesce(max(n.version), 0) from backstory.snapshots n
        where n.stream_id = s.stream_id and n.fold_version = %(fold)s
            and n.version <= coalesce(%(version)s, s.version)),
       (select coalesce(max(m.version), 0) from backstory.seams m
        where m.stream_id = s.stream_id and m.version <= coalesce(%(version)s, s.version))
from backstory.streams s
where s.stream_id = %(stream)s;
