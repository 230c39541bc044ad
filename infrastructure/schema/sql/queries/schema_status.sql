-- The newest migration, the row of the objects (number 0), the migrations whose older rows were filled in, and the text
-- of the first migration.
select coalesce(max(number), 0), max(checksum) filter (where number = 0), max(name) filter (where number = 0),
       coalesce(array_agg(-number) filter (where number < 0), '{}'), max(checksum) filter (where number = 1)
from backstory.schema_migrations;
