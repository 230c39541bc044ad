-- name: texts_in_feed
-- The events in a range of positions that bring an item of a session, or hold more of one.
select e.stream_id, array_agg(e.version order by e.version)
from backstory.events e
join backstory.streams s on s.stream_id = e.stream_id and s.kind in ('session', 'project')
where e.position > %s and e.position <= %s and e.effects is not null
    and e.effects::jsonb ?| '{brings,extends,revises}'
group by e.stream_id
order by e.stream_id;

-- name: vectors
-- The vectors that a model made of these texts.
select e.stream_id, e.version, e.vector
from unnest(%(streams)s::uuid[], %(versions)s::integer[]) as w (stream_id, version)
join backstory.embeddings e on e.stream_id = w.stream_id and e.version = w.version
where e.model = %(model)s and e.dimension = %(dimension)s and octet_length(e.vector) = 2 * e.dimension;

-- name: save_embeddings
-- Keeps the vectors of a stream's texts.
select backstory.save_embeddings(%s, %s, %s::integer, %s::integer[], %s::bytea[]);

-- name: forget_embeddings
-- Removes all vectors.
select backstory.forget_embeddings();

-- name: forget_other_models
-- Forgets how far the vectors of other models have come, where no process makes them any more.
select backstory.start_over(t.consumer)
from (select distinct consumer from backstory.tracking where consumer like 'embeddings.%%' and consumer <> %s) t
where pg_try_advisory_xact_lock(20265, hashtext(t.consumer));
