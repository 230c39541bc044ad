-- The first of a stream's contents that has no event.
select version, part
from backstory.contents c
where stream_id = %s
    and not exists (select 1 from backstory.events e where e.stream_id = c.stream_id and e.version = c.version)
order by 1, 2
limit 1;
