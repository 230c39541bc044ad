-- Every stream.
select stream_id
from backstory.streams
order by 1;
