-- How many events there are.
select count(*)
from backstory.events;
