-- Events of all streams in a range of positions, of some types or of all.
select stream_id, version, type, payload, position
from backstory.events
where position between %(first)s and %(last)s and (%(types)s::text[] is null or type = any (%(types)s))
order by position
limit %(limit)s;
