-- The same on all other machines, for good: shards are made there at later times too.
select nodename, nodeport, success, result
from run_command_on_workers('alter system set citus.enable_unsafe_triggers = on');
