-- What remains of a purged stream.
select version, chain, purged_at
from backstory.tombstones
where stream_id = %s;
