-- Draws a stream's seams.
insert into pg_temp.seams (stream_id, version, resumed_stream, resumed_version)
select %s, seam.version, seam.resumed_stream, seam.resumed_version
from unnest(%s::integer[], %s::uuid[], %s::integer[]) as seam (version, resumed_stream, resumed_version)
on conflict do nothing;
