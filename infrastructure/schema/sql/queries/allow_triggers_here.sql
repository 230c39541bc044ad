-- Lets tables that are spread have triggers. Ours look at nothing but the statement.
set citus.enable_unsafe_triggers = on;
