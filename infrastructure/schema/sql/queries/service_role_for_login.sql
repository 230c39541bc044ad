-- Whether there is a service role that this login has a right to: to be a member of it, or to become it.
select 1
from pg_roles
where rolname = 'backstory_service' and pg_has_role(current_user, oid, %s);
