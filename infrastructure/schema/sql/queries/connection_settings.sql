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
