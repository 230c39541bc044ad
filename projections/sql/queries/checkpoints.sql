-- A stream's named versions up to one, with the chain there and when it was recorded.
select c.version, c.name, e.chain, e.recorded_at
from backstory.checkpoints c
join backstory.events e using (stream_id, version)
where stream_id = %s and c.version <= %s
order by c.version;
