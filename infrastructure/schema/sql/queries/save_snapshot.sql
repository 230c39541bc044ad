-- Keeps a state; whether it was kept.
select backstory.save_snapshot(%s, %s::integer, %s::integer, %s);
