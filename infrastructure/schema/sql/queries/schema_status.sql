-- The newest migration, what is noted under the number 0 of the objects, and the migrations whose older rows were seen to.
select coalesce(max(number), 0), max(checksum) filter (where number = 0), max(name) filter (where number = 0),
       coalesce(array_agg(-number) filter (where number < 0), '{}')
from backstory.schema_migrations;
