-- The open sessions that something was written to after a moment.
select s.stream_id
from backstory.streams s
where s.kind = 'session' and s.recorded_at > %s and coalesce(s.summary #>> '{labels,status}', 'open') <> 'ended'
order by s.stream_id;
