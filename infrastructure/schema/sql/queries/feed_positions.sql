-- The positions of events in a range, of some types or of all.
select position
from backstory.events
where position > %(after)s and position <= %(upto)s and (%(types)s::text[] is null or type = any (%(types)s))
order by position;
