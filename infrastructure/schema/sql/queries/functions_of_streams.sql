-- Every function with its name, and whether it is a door that works on one stream alone: then it runs where that is. A
-- purge looks at other streams too.
select p.oid::regprocedure::text, p.prosecdef and p.proargnames[1] = 'p_stream' and p.proname <> 'purge'
from pg_proc p
where p.pronamespace = 'backstory'::regnamespace and p.prokind = 'f'
order by 2, 1;
