-- Decisions of a stream's current branch up to a version that are in no window, the newest first, each with the version
-- that changed it last.
select item, changed
from backstory.items
where stream_id = %s and type = 'decision' and item <= %s and windows = '{}'
order by item desc
limit %s;
