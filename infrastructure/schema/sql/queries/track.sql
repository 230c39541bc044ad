-- Notes how far a consumer of the feed has come.
select backstory.track(%s, %s::bigint);
