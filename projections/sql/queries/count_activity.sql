-- Adds the events in a range of positions to the activity.
select backstory.count_activity(%s::bigint, %s::bigint);
