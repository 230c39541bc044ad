-- Has all other machines read their settings again.
select nodename, nodeport, success, result
from run_command_on_workers('select pg_reload_conf()');
