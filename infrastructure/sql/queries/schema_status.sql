-- The newest migration, and the checksum of the objects, which is noted under the number 0.
select coalesce(max(number), 0), max(checksum) filter (where number = 0)
from backstory.schema_migrations;
