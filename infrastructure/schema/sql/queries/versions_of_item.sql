-- The stream's own events in a range of versions that hold an item's contents: the one that brought it and those that
-- extended or revised it, and of each whether it replaced what was there before.
select version, coalesce(effects::jsonb #>> '{revises,item}' = %(named)s, false)
from backstory.events
where stream_id = %(stream)s and version between %(first)s and %(last)s
    and effects is not null
    and ((version = %(item)s and effects::jsonb ? 'brings')
        or effects::jsonb #>> '{extends,item}' = %(named)s
        or effects::jsonb #>> '{revises,item}' = %(named)s)
order by version;
