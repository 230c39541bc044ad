-- name: migrations_table
-- The table of migrations, null where there is none.
select to_regclass('backstory.schema_migrations');

-- name: schema_status
-- The newest migration, the row of the objects (number 0), the migrations whose older rows were filled in, and the text
-- of the first migration.
select coalesce(max(number), 0), max(checksum) filter (where number = 0), max(name) filter (where number = 0),
       coalesce(array_agg(-number) filter (where number < 0), '{}'), max(checksum) filter (where number = 1)
from backstory.schema_migrations;

-- name: create_schema
-- Where everything of ours is.
create schema if not exists backstory;

-- name: create_migrations_table
-- Which migrations a database has had. It is there before the first of them.
create table if not exists backstory.schema_migrations (
    number     integer primary key,
    name       text not null,
    checksum   text not null,
    applied_at timestamptz not null default now()
);

-- name: note_migration
-- Notes a migration that was done.
insert into backstory.schema_migrations (number, name, checksum)
values (%s, %s, %s);

-- name: forget_objects
-- Forgets which functions, views, triggers and grants the database was last given.
delete from backstory.schema_migrations
where number = 0;

-- name: lock_upgrades
-- One upgrade of a database at a time: whether this is the one. Who waits asks again instead of waiting in the server,
-- where the building of an index would wait for him in turn. lock_stream.sql lists the locks' numbers.
select pg_try_advisory_lock(20263);

-- name: unlock_upgrades
-- Lets the next upgrade of the database begin.
select pg_advisory_unlock(20263);

-- name: hold_appends
-- Keeps appends waiting until the transaction ends. Every append looks at this table before any other, so none is under
-- way once it is locked, and none can hold what the transaction needs next: else one of the two would be a deadlock's
-- victim.
lock table backstory.streams in access exclusive mode;

-- name: service_role
-- Whether there is a service role.
select 1
from pg_roles
where rolname = 'backstory_service';

-- name: create_service_role
-- The role that may only read, and call the functions that append.
create role backstory_service nologin;

-- name: grant_service_role
-- Lets this login become the service role.
grant backstory_service to current_user;

-- name: revoke_changes
-- Leaves the service role nothing but the right to read a table.
revoke insert, update, delete, truncate on {table} from public, backstory_service;

-- name: skip_function_bodies
-- Lets functions be made in any order, whatever they call.
set local check_function_bodies = off;

-- name: functions
-- Every function with what changes in the catalog when it is replaced, its name and the statement that drops it.
select p.oid, p.xmin::text, p.proname, 'drop function ' || p.oid::regprocedure::text
from pg_proc p
where p.pronamespace = 'backstory'::regnamespace;

-- name: triggers_of_table
-- A table's triggers, as the catalog has them, and whether each fires always.
select pg_get_triggerdef(t.oid), t.tgenabled::text
from pg_trigger t
where t.tgrelid = to_regclass(%s) and not t.tgisinternal;

-- name: index_is_valid
-- Whether an index is there as a whole. One whose building was interrupted is not.
select i.indisvalid
from pg_index i
join pg_class c on c.oid = i.indexrelid
where c.relnamespace = 'backstory'::regnamespace and c.relname = %s;

-- name: drop_index
-- Drops an index that was left half built.
drop index concurrently {table};

-- name: streams_after
-- Streams beyond one, a batch of them.
select stream_id
from backstory.streams
where stream_id > %s
order by stream_id
limit %s;

-- name: running_transactions_of_others
-- Every transaction that is under way in other processes. Locks are shown to all; what others do is not.
select virtualtransaction
from pg_locks
where locktype = 'virtualxid' and granted and pid <> pg_backend_pid();
