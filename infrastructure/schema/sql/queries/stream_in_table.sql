-- Whether a table has a row of a stream.
select 1
from {table}
where stream_id = %s
limit 1;
