-- The oldest states that are kept of a range of versions; all of them where the limit is null.
select version, state
from backstory.snapshots
where stream_id = %s and fold_version = %s and version > %s and version <= %s
order by version
limit %s;
