-- Where a stream's log ends. Handed to libpq as it is.
select version, recorded_at from backstory.streams where stream_id = $1;
