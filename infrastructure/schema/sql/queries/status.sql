-- name: applied_migrations
-- The migrations that the database has had.
select number, name, applied_at
from backstory.schema_migrations
where number > 0
order by number;

-- name: database_size
-- How many bytes the database has on disk.
select pg_database_size(current_database());

-- name: table_sizes
-- The tables with their bytes on disk, indexes included, the largest first.
select relname, pg_total_relation_size(oid)
from pg_class
where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p')
order by 2 desc, 1;

-- name: session_count
-- How many sessions there are.
select count(*)
from backstory.streams
where kind = 'session';

-- name: event_count
-- How many events there are.
select count(*)
from backstory.events;

-- name: may_change_tables
-- Whether a role may change any of these tables.
select bool_or(has_table_privilege(%s, c.oid, 'insert, update, delete, truncate'))
from pg_class c
where c.relnamespace = 'backstory'::regnamespace and c.relname = any (%s);

-- name: unguarded_tables
-- Those of these tables that do not refuse changes, whoever asks. One that an older schema does not have needs no trigger.
select c.relname
from pg_class c
where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and c.relname = any (%s)
    and not exists (
        select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'append_only' and t.tgenabled = 'A')
order by 1;

-- name: tables_with_other_grants
-- The tables that the service role may change, or may not read; none where there is no such role.
select c.relname
from pg_class c
join pg_roles r on r.rolname = 'backstory_service'
where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p')
    and (has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate')
         or not has_table_privilege(r.oid, c.oid, 'select'))
order by 1;

-- name: functions_without_grant
-- A function of these names that the service role may not call.
select p.proname
from pg_proc p
join pg_roles r on r.rolname = 'backstory_service'
where p.pronamespace = 'backstory'::regnamespace and p.proname = any (%s)
    and not has_function_privilege(r.oid, p.oid, 'execute')
limit 1;

-- name: longest_transaction
-- The transaction of another process that is open longest: of this database, or of any other of the server when it has
-- written something, since the feed waits for that too. A login that may not see what others do is told who, not what.
select pid, extract(epoch from clock_timestamp() - xact_start)::float8, state, usename, application_name,
       backend_xid is not null, nullif(datname, current_database())
from pg_stat_activity
where (datname = current_database() or backend_xid is not null) and pid <> pg_backend_pid() and xact_start is not null
order by xact_start
limit 1;

-- name: replayed
-- Whether this server follows another, and when the newest transaction was committed that it has replayed.
select pg_is_in_recovery(), case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end;

-- name: standbys
-- The servers that follow this one, and by how many bytes each is behind.
select coalesce(nullif(application_name, ''), client_addr::text, pid::text), coalesce(state, 'unknown'),
       coalesce(sync_state, 'unknown'),
       case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint end
from pg_stat_replication
order by 1;
