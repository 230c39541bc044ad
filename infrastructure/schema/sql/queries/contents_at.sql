-- The bytes at these places of a stream, shared bytes resolved. The fence (offset 0) keeps the planner from reading whole
-- streams: a plan made while the table was small is kept after it has grown.
select c.version, c.part, c.bytes
from unnest(%s::integer[], %s::smallint[]) as wanted (version, part)
cross join lateral (
    select o.version, o.part, coalesce(o.bytes, (
        select t.bytes from backstory.contents t
        where t.stream_id = o.stream_id and t.version = o.shared_version and t.part = o.shared_part)) as bytes
    from backstory.contents o
    where o.stream_id = %s and o.version = wanted.version and o.part = wanted.part
    offset 0
) c;
