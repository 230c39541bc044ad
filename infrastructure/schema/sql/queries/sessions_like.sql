-- Sessions whose ids begin or end with some digits: as a range of ids, and as texts without hyphens. Also those that were
-- purged, so that they can be said to be. Two are enough to see that there are several.
select stream_id
from (
    select stream_id from backstory.streams where kind = 'session'
    union all
    select stream_id from backstory.tombstones
) known
where stream_id between %s and %s
    or replace(stream_id::text, '-', '') like %s
    or right(stream_id::text, 12) like %s
limit 2;
