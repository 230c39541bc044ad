-- Whether this server replays another one's log.
select pg_is_in_recovery();
