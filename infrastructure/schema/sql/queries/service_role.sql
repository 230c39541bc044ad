-- Whether there is a service role.
select 1
from pg_roles
where rolname = 'backstory_service';
