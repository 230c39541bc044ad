-- The first versions of a stream that still have contents, but for the reasons of erasures.
select distinct c.version
from backstory.contents c
join backstory.events e on e.stream_id = c.stream_id and e.version = c.version
where c.stream_id = %s and e.type <> 'content.erased'
order by c.version
limit %s;
