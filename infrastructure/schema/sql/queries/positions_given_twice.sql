-- Places in the feed that several events have.
select position
from backstory.events
group by position
having count(*) > 1
order by 1
limit 100;
