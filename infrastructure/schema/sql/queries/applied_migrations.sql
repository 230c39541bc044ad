-- The migrations that the database has had.
select number, name, applied_at
from backstory.schema_migrations
where number > 0
order by number;
