-- Whether this login may do everything.
select rolsuper
from pg_roles
where rolname = current_user;
