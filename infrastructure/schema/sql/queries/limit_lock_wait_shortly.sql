-- Waits for a lock no longer than half a second, so that those who come behind are not held up for longer.
set local lock_timeout = '500ms';
