-- A stream's own events that may be branch points.
select version, effects
from backstory.events
where stream_id = %s and effects like '%%"resumes"%%'
order by version;
