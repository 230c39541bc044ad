-- Where a rebuild draws checkpoints, beside those in use.
create temporary table checkpoints (like backstory.checkpoints, primary key (stream_id, version));
