-- name: citus_version
-- The version of Citus, where the database has it.
select extversion
from pg_extension
where extname = 'citus';

-- name: citus_workers
-- How many machines Citus may put shards on, the coordinator among them where it takes some.
select count(*)
from pg_dist_node
where isactive and shouldhaveshards and noderole = 'primary';

-- name: is_superuser
-- Whether this login may do everything.
select rolsuper
from pg_roles
where rolname = current_user;

-- name: is_distributed
-- Whether the tables are spread over several machines. Only there does an event's position have a default: by it the
-- sequence reaches every machine.
select exists (select 1 from pg_attrdef where adrelid = 'backstory.events'::regclass);

-- name: undistributed_tables
-- The tables that Citus does not know yet, and whether their rows belong to streams. What says which schema this is stays
-- where upgrades are made.
select c.relname, coalesce(a.attname = 'stream_id', false)
from pg_class c
left join pg_index i on i.indrelid = c.oid and i.indisprimary
left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
order by c.relname <> 'streams', c.relname;

-- name: distribute_streams
-- Spreads the streams over the machines. What belongs to a stream goes where the stream is.
select create_distributed_table('backstory.streams', 'stream_id', colocate_with => 'none');

-- name: distribute_table
-- Puts a table's rows where their streams are.
select create_distributed_table(%s, 'stream_id', colocate_with => 'backstory.streams');

-- name: replicate_table
-- Puts a copy of a table on every machine.
select create_reference_table(%s);

-- name: functions_of_streams
-- Every function with its name, and whether it is a door that works on one stream alone: then it runs where that is. A
-- purge looks at other streams too.
select p.oid::regprocedure::text, p.prosecdef and p.proargnames[1] = 'p_stream' and p.proname <> 'purge'
from pg_proc p
where p.pronamespace = 'backstory'::regnamespace and p.prokind = 'f'
order by 2, 1;

-- name: delegate_function
-- Has a function run as a whole on the machine that holds its stream, also within a transaction.
select create_distributed_function(
    %s::regprocedure, 'p_stream', colocate_with => 'backstory.streams', force_delegation => true
);

-- name: spread_function
-- Has a function on every machine.
select create_distributed_function(%s::regprocedure);

-- name: position_default
-- Ties the sequence of positions to the events, so that it reaches every machine. Each one draws numbers of its own.
alter table backstory.events
alter column position set default nextval('backstory.positions');

-- name: one_shard_at_a_time
-- Changes shards one after the other, so that what follows in the same session sees all of it.
set citus.multi_shard_modify_mode = 'sequential';

-- name: allow_triggers_here
-- Lets tables that are spread have triggers. Ours look at nothing but the statement.
set citus.enable_unsafe_triggers = on;

-- name: allow_triggers_on_workers
-- The same on all other machines, for good: shards are made there at later times too.
select nodename, nodeport, success, result
from run_command_on_workers('alter system set citus.enable_unsafe_triggers = on');

-- name: reload_workers
-- Has all other machines read their settings again.
select nodename, nodeport, success, result
from run_command_on_workers('select pg_reload_conf()');

-- name: drop_append_only
-- Takes a table's trigger away while the table is being spread.
drop trigger if exists append_only on {table};
