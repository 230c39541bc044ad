-- For a connection that holds a job's lock as long as the job takes: nobody may end it for being idle, and a machine
-- that vanished without a word is given up after half a minute, not after hours.
select set_config('idle_in_transaction_session_timeout', '0', false),
       set_config('idle_session_timeout', '0', false),
       set_config('tcp_keepalives_idle', '10', false),
       set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '4', false);
