-- Streams beyond one, a batch of them.
select stream_id
from backstory.streams
where stream_id > %s
order by stream_id
limit %s;
