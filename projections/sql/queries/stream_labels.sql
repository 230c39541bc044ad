-- What these streams are listed by.
select stream_id, summary -> 'labels'
from backstory.streams
where stream_id = any (%s) and kind = 'session';
