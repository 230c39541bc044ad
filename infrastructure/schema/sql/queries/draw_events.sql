-- Applies a run of a stream's events to what is drawn of it.
select pg_temp.apply_events(%s, %s, %s, %s::jsonb)::text;
