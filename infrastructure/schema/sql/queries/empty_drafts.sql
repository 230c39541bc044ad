-- Forgets what was drawn.
truncate pg_temp.items, pg_temp.checkpoints, pg_temp.branch_points;
