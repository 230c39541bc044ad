-- Streams with the number of their own events, those that others begin in first.
select s.stream_id, s.started_at, s.version - coalesce(origin.resumed_version, 0)
from backstory.streams s
left join lateral (
    select branch_point.resumed_version
    from backstory.branch_points branch_point
    where branch_point.stream_id = s.stream_id and branch_point.resumed_stream <> s.stream_id
    order by branch_point.version
    limit 1
) as origin on true
where %(streams)s::uuid[] is null or s.stream_id = any (%(streams)s)
order by s.started_at, s.stream_id;
