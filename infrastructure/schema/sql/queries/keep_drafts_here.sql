-- Keeps what a rebuild makes for itself on this machine, where there are several. A plain Postgres takes no notice.
select set_config('citus.enable_ddl_propagation', 'off', false);
