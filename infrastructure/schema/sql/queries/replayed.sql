-- Whether this server follows another, and when the newest transaction was committed that it has replayed.
select pg_is_in_recovery(), case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end;
