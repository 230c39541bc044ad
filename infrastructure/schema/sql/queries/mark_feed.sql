-- The newest position that was drawn, a transaction id that was taken after that, and the horizon that was noted last.
select backstory.mark_feed(%s::bigint);
