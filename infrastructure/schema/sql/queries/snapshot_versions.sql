-- The versions of a stream that a state is kept of.
select version
from backstory.snapshots
where stream_id = %s and fold_version = %s;
