-- Decisions of a stream's current branch below a version, the newest first.
select decision
from backstory.decisions
where stream_id = %s and decision < %s
order by decision desc
limit %s;
