-- One batch of an imported stream's idempotency keys.
select backstory.import_appends(%s, %s::jsonb);
