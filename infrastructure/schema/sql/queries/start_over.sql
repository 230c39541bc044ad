-- Forgets how far a consumer has come, and what it has set aside.
select backstory.start_over(%s);
