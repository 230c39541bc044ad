-- Where a rebuild draws seams, beside those in use.
create temporary table seams (like backstory.seams, primary key (stream_id, version));
