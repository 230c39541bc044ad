-- Takes the locks of these streams that nobody else holds, to the end of the transaction, and tells which they are.
select stream_id
from unnest(%s::uuid[]) as wanted (stream_id)
where pg_try_advisory_xact_lock(uuid_hash_extended(stream_id, 20260));
