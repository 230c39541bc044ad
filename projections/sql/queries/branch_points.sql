-- A stream's branch points.
select version, resumed_stream, resumed_version
from backstory.branch_points
where stream_id = %s
order by version;
