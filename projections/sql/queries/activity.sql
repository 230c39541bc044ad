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
group by a.day, a.project
order by a.day desc, a.project;
