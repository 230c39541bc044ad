-- How many machines Citus may put shards on, the coordinator among them where it takes some.
select count(*)
from pg_dist_node
where isactive and shouldhaveshards and noderole = 'primary';
