-- Drops an index that was left half built.
drop index concurrently {table};
