-- Puts into a stream's own row what follows from its log.
update backstory.streams
set summary = %s::jsonb, epoch = %s, started_at = %s, recorded_at = %s
where stream_id = %s;
