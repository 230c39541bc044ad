-- Draws a stream's branch points.
insert into pg_temp.branch_points (stream_id, version, resumed_stream, resumed_version)
select %s, branch_point.version, branch_point.resumed_stream, branch_point.resumed_version
from unnest(%s::integer[], %s::uuid[], %s::integer[]) as branch_point (version, resumed_stream, resumed_version)
on conflict do nothing;
