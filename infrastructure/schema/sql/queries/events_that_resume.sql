-- A stream's own events that may be seams.
select version, effects
from backstory.events
where stream_id = %s and effects like '%%"resumes"%%'
order by version;
