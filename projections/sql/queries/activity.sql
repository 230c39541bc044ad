-- name: activity
-- What was done by day and project, the newest day first: of one project or of all, on or after a day, and before another.
select a.day, nullif(a.project, ''), sum(a.events)::bigint,
       coalesce(sum(a.events) filter (where a.type = 'message.added'), 0)::bigint,
       coalesce(sum(a.events) filter (where a.type = 'decision.recorded'), 0)::bigint,
       coalesce(sum(a.events) filter (where a.type = 'model.called'), 0)::bigint,
       sum(a.tokens)::bigint, sum(a.input_tokens)::bigint, sum(a.output_tokens)::bigint,
       sum(a.cost_microdollars)::bigint, jsonb_object_agg(a.type, a.events)
from backstory.activity a
where (%(since)s::date is null or a.day >= %(since)s) and (%(before)s::date is null or a.day < %(before)s)
    and (%(project)s::text is null or a.project = %(project)s)
    and (%(projects)s::text[] is null or a.project = any (%(projects)s))
group by a.day, a.project
order by a.day desc, a.project;

-- name: count_activity
-- Adds the events in a range of positions to the activity.
select backstory.count_activity(%s::bigint, %s::bigint);

-- name: forget_activity
-- Empties the activity.
select backstory.forget_activity();

-- name: read_model_sizes
-- The tables of read models, with their rows and their bytes on disk, indexes included.
select 'items', (select count(*) from backstory.items), pg_total_relation_size('backstory.items')
union all
select 'checkpoints', (select count(*) from backstory.checkpoints), pg_total_relation_size('backstory.checkpoints')
union all
select 'branch_points', (select count(*) from backstory.branch_points), pg_total_relation_size('backstory.branch_points')
union all
select 'streams', (select count(*) from backstory.streams), pg_total_relation_size('backstory.streams')
union all
select 'activity', (select count(*) from backstory.activity), pg_total_relation_size('backstory.activity')
union all
select 'search', (select coalesce(sum(entries), 0) from backstory.search_segments),
       pg_total_relation_size('backstory.search_segments') + pg_total_relation_size('backstory.search_postings')
union all
select 'embeddings', (select count(*) from backstory.embeddings), pg_total_relation_size('backstory.embeddings');
