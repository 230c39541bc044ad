-- The branch points that a stream's events beyond a version tell of.
select e.version, (e.effects::jsonb #>> '{resumes,stream}')::uuid, (e.effects::jsonb #>> '{resumes,version}')::integer
from backstory.events e
where e.stream_id = %s and e.version > %s and e.effects like '%%"resumes"%%' and e.effects::jsonb ? 'resumes'
order by e.version;
