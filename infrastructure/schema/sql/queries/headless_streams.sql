-- The streams that a table has rows of and that have no row of their own.
select distinct stream_id
from {table} t
where not exists (select 1 from backstory.streams s where s.stream_id = t.stream_id)
order by 1;
