-- One batch of an imported stream's idempotency keys.
select backstory.import_appends(%s, %s::text[], %s::int4[], %s::int4[], %s::bytea[]);
