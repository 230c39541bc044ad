-- Forgets what was drawn in a table of one stream.
delete from {draft}
where stream_id = %s;
