-- The position of the last of so many events after a position, none of them beyond another; null when there are none.
select max(position)
from (
    select position
    from backstory.events
    where position > %s and position <= %s
    order by position
    limit %s
) batch;
