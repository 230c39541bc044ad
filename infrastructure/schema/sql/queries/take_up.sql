-- Whether an event was set aside for a consumer; it no longer is.
select backstory.take_up(%s, %s::bigint);
