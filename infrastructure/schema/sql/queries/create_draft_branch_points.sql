-- Where a rebuild draws branch points, beside those in use.
create temporary table branch_points (like backstory.branch_points, primary key (stream_id, version));
