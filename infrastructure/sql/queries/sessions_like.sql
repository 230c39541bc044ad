-- Sessions whose ids begin or end with some digits: as a range of ids, and as texts without hyphens. Two are enough to
-- see that there are several.
select stream_id
from backstory.streams
where kind = 'session'
    and (stream_id between %s and %s
        or replace(stream_id::text, '-', '') like %s
        or right(stream_id::text, 12) like %s)
limit 2;
