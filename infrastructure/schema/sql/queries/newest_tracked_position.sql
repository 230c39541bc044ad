-- How far a consumer of the feed has come.
select max(position)
from backstory.tracking
where consumer = %s;
