-- What is due is found by these. Built while writers go on, so each stands alone, outside a transaction.
create index concurrently items_cool on backstory.items (cools_from) where cools_from is not null;
create index concurrently items_warm on backstory.items (warms_until) where warms_until is not null;
