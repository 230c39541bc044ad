-- name: content_places
-- Where these events of a stream's own have contents.
select version, part
from backstory.contents
where stream_id = %s and version = any (%s);

-- name: content_salts
-- The salts of the contents of these events of a stream's own: enough to tell whether bytes are the same.
select version, part, salt
from backstory.contents
where stream_id = %s and version = any (%s);

-- name: contents_sharing_bytes
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

-- name: contents_saying_the_same
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

-- name: versions_with_contents
-- The first versions of a stream that still have contents, but for the reasons of erasures.
select distinct c.version
from backstory.contents c
join backstory.events e on e.stream_id = c.stream_id and e.version = c.version
where c.stream_id = %s and e.type <> 'content.erased'
order by c.version
limit %s;
