-- Starts the drawing of a stream at the root of its branch.
select pg_temp.begin_branch(%s, %s::jsonb)::text;
