-- The last place in the feed that was drawn, if any was.
select last_value, is_called
from backstory.positions;
