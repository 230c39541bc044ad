-- Puts in some of a stream's rows as they were drawn.
insert into {table}
select *
from {draft}
where stream_id = %(stream)s and {key} = any (%(keys)s);
