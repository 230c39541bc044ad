-- What was done in a range of positions, by day, project and type: in one stream, or in all. What the activity goes on
-- without is left out, and so are events of other applications.
create or replace function backstory.activity_in(p_after bigint, p_upto bigint, p_stream uuid)
returns table (
    day date, project text, type text, events bigint, tokens bigint, input_tokens bigint, output_tokens bigint,
    cost_microdollars bigint)
language sql stable as $$
    select e.day, coalesce(p.project, ''), e.type, count(*),
           coalesce(sum(e.tokens), 0)::bigint,
           coalesce(sum((e.call ->> 'input_tokens')::bigint), 0)::bigint,
           coalesce(sum((e.call ->> 'output_tokens')::bigint), 0)::bigint,
           coalesce(sum(round((e.call ->> 'cost_usd')::numeric * 1000000)::bigint), 0)::bigint
    from (
        select o.stream_id, o.version, o.type,
               (coalesce(o.occurred_at, o.recorded_at) at time zone 'UTC')::date as day,
               coalesce((o.effects::jsonb #>> '{brings,tokens}')::bigint, 0)
               + coalesce((o.effects::jsonb #>> '{extends,tokens}')::bigint, 0) as tokens,
               case when o.type = 'model.called' then convert_from(o.payload, 'UTF8')::jsonb end as call
        from backstory.events o
        where o.position > p_after and o.position <= p_upto and o.schema_version > 0
            and (p_stream is null or o.stream_id = p_stream)
            and not exists (
                select 1 from backstory.set_aside a where a.consumer = 'activity' and a.position = o.position)
    ) e
    left join lateral (
        select a.project from backstory.activity_projects a
        where a.stream_id = e.stream_id and a.version <= e.version
        order by a.version desc
        limit 1
    ) p on true
    group by 1, 2, 3
$$;
