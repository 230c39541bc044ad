-- name: connection_settings
-- What this code relies on, whatever the server's or the database's defaults are. Under a stricter isolation an append
-- that waited for its stream's lock would not see what the one before it wrote. Every read here is by key: a plan
-- that was kept from when a table had one page must not scan it once it has thousands, and no read is worth compiling.
select set_config('default_transaction_isolation', 'read committed', false),
       set_config('timezone', 'UTC', false),
       set_config('datestyle', 'ISO', false),
       set_config('extra_float_digits', '1', false),
       set_config('standard_conforming_strings', 'on', false),
       set_config('array_nulls', 'on', false),
       set_config('client_encoding', 'UTF8', false),
       set_config('enable_seqscan', 'off', false),
       set_config('jit', 'off', false);

-- name: service_role_for_login
-- Whether there is a service role that this login has a right to: to be a member of it, or to become it.
select 1
from pg_roles
where rolname = 'backstory_service' and pg_has_role(current_user, oid, %s);

-- name: become_service
-- Goes on as the service role.
set role backstory_service;

-- name: limit_lock_wait
-- Waits for a lock no longer than an append does.
set local lock_timeout = '10s';

-- name: limit_lock_wait_shortly
-- Waits for a lock no longer than half a second, so that those who come behind are not held up for longer.
set local lock_timeout = '500ms';

-- name: limit_statements
-- Ends every statement of this connection after so many milliseconds, should nobody be there to cancel it.
select set_config('statement_timeout', %s, false);

-- name: read_one_moment
-- All reads of the transaction see the same.
set transaction isolation level repeatable read, read only;

-- name: is_standby
-- Whether this server replays another one's log.
select pg_is_in_recovery();

-- name: written_position
-- How far the write-ahead log has come. Whatever was committed before lies in front of it.
select pg_current_wal_insert_lsn()::text;

-- name: replayed_position
-- How far a standby has replayed the write-ahead log; null on a server that follows none.
select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end;

-- name: server_version
-- The server's version, as it says it.
select current_setting('server_version');

-- name: create_database
-- The embedded server's database.
create database backstory;

-- name: data_directory
-- Where a server's data is, and whether it has a database of this name.
select current_setting('data_directory'), exists (select from pg_database where datname = %s);

-- name: may_append
-- Whether this connection may append: not on a standby, where it was made read-only, or without the right to.
select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
       and bool_and(has_function_privilege(oid, 'execute'))
from pg_proc
where proname = 'append' and pronamespace = 'backstory'::regnamespace;
