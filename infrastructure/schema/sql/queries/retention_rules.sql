-- The retention rules, the newest of each project first.
select project, action, after_days, directory, compressed, set_at, set_by
from backstory.retention_rules
order by project, number desc;
