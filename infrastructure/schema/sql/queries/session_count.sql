-- How many sessions there are.
select count(*)
from backstory.streams
where kind = 'session';
