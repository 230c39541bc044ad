-- Waits for a lock no longer than an append does.
set local lock_timeout = '10s';
