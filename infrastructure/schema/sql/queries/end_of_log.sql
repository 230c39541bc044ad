-- Of the log itself, not of the stream's row.
select version, recorded_at from backstory.events where stream_id = %s order by version desc limit 1;
