-- Notes an event that a consumer goes on without.
select backstory.set_aside(%s, %s::bigint, %s::integer, %s);
