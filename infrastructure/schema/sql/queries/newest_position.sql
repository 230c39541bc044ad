-- The place in the feed of the newest event.
select max(position)
from backstory.events;
