-- Notes how far a rebuild has come, and at its end that it is done.
update backstory.rebuilds
set stream_started_at = coalesce(%s, stream_started_at), last_stream = coalesce(%s, last_stream), sessions = %s,
    events = %s, finished_at = case when %s then clock_timestamp() end
where projections = %s;
