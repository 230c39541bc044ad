-- The state that is kept of a version.
select state
from backstory.snapshots
where stream_id = %s and fold_version = %s and version = %s;
