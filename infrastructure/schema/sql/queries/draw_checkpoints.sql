-- Draws the checkpoints that a stream's events beyond a version name, those of abandoned branches too.
select count(pg_temp.apply_effects(
    e.stream_id, e.version, e.recorded_at, jsonb_build_object('marks', e.effects::jsonb -> 'marks'), '{}'))
from backstory.events e
where e.stream_id = %s and e.version > %s and e.effects like '%%"marks"%%' and e.effects::jsonb ? 'marks';
