-- Where a stream's log ends: of the log itself, not of what is kept about it. Handed to libpq as it is.
select version, recorded_at from backstory.events where stream_id = $1 order by version desc limit 1;
