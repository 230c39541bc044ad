-- The versions in these pieces of a stream whose events are of one type.
select version
from backstory.events e
where stream_id = %s and type = %s
    and exists (
        select 1 from unnest(%s::integer[], %s::integer[]) as piece (first, last)
        where e.version between piece.first and piece.last)
order by version;
