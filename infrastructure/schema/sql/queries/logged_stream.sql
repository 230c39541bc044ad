-- A stream's own row, and the ends of its log.
select s.kind, s.version, s.epoch, s.chain, s.started_at, s.recorded_at, s.summary::text, log.first, log.events,
       newest.chain, newest.epoch, oldest.recorded_at, newest.recorded_at
from backstory.streams s
cross join lateral (
    select min(e.version) as first, count(*) as events
    from backstory.events e
    where e.stream_id = s.stream_id
) as log
left join backstory.events oldest on oldest.stream_id = s.stream_id and oldest.version = log.first
left join backstory.events newest on newest.stream_id = s.stream_id and newest.version = s.version
where s.stream_id = %s;
