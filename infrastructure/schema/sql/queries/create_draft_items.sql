-- Where a rebuild draws items, beside those in use.
create temporary table items (like backstory.items, primary key (stream_id, item));
