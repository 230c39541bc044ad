-- One batch of an imported stream's idempotency keys.
select backstory.import_appends(%s, %b::text[], %b::int4[], %b::int4[], %b::bytea[]);
