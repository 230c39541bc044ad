-- The contents of these events of a stream's own, those at some other places, and all that share their stored bytes.
with resolved as (
    select version, part, array[coalesce(shared_version, version), coalesce(shared_part, part)] as home
    from backstory.contents
    where stream_id = %s
)
select distinct other.version, other.part
from resolved mine
join resolved other on other.home = mine.home
where mine.version = any (%s)
   or (mine.version, mine.part) in (select also.version, also.part
                                    from unnest(%s::integer[], %s::smallint[]) as also (version, part))
order by 1, 2;
