-- The contents of these events of a stream's own, those at some other places, all that share their stored bytes, and
-- those that say the same in bytes of their own.
with resolved as (
    select c.version, c.part, coalesce(c.bytes, t.bytes) as bytes,
           array[coalesce(c.shared_version, c.version), coalesce(c.shared_part, c.part)] as home
    from backstory.contents c
    left join backstory.contents t
        on t.stream_id = c.stream_id and t.version = c.shared_version and t.part = c.shared_part
    where c.stream_id = %s
)
select distinct other.version, other.part
from resolved mine
join resolved other on other.home = mine.home or other.bytes = mine.bytes
where mine.version = any (%s)
   or (mine.version, mine.part) in (select also.version, also.part
                                    from unnest(%s::integer[], %s::smallint[]) as also (version, part))
order by 1, 2;
