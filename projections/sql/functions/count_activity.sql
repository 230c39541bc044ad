-- Adds the events in a range of positions to the activity. First, in order, what they say of projects: a label sets one, and
-- a backtrack or a fork goes on with that of the version it resumes. So an event counts for the project that its session
-- belonged to then, whenever it is counted. Events of other applications are not counted.
create or replace function backstory.count_activity(p_after bigint, p_upto bigint) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    found_event record;
begin
    for found_event in
        select e.stream_id, e.version, e.effects::jsonb -> 'labels' as labels, e.effects::jsonb -> 'resumes' as resumes
        from backstory.events e
        where e.position > p_after and e.position <= p_upto and e.schema_version > 0
            and (e.effects like '%"project"%' or e.effects like '%"resumes"%')
        order by e.position
    loop
        continue when not coalesce(found_event.labels ? 'project', false) and found_event.resumes is null;
        insert into backstory.activity_projects (stream_id, version, project)
        values (
            found_event.stream_id, found_event.version,
            case when found_event.labels ? 'project' then found_event.labels ->> 'project'
                 else backstory.project_at(
                     (found_event.resumes ->> 'stream')::uuid, (found_event.resumes ->> 'version')::integer) end)
        on conflict (stream_id, version) do update set project = excluded.project;
    end loop;

    insert into backstory.activity (
        day, project, type, events, tokens, input_tokens, output_tokens, cost_microdollars)
    select e.day, coalesce(p.project, ''), e.type, count(*), coalesce(sum(e.tokens), 0),
           coalesce(sum((e.call ->> 'input_tokens')::bigint), 0),
           coalesce(sum((e.call ->> 'output_tokens')::bigint), 0),
           coalesce(sum(round((e.call ->> 'cost_usd')::numeric * 1000000)::bigint), 0)
    from (
        select o.stream_id, o.version, o.type,
               (coalesce(o.occurred_at, o.recorded_at) at time zone 'UTC')::date as day,
               coalesce((o.effects::jsonb #>> '{brings,tokens}')::bigint, 0)
               + coalesce((o.effects::jsonb #>> '{extends,tokens}')::bigint, 0) as tokens,
               case when o.type = 'model.called' then convert_from(o.payload, 'UTF8')::jsonb end as call
        from backstory.events o
        where o.position > p_after and o.position <= p_upto and o.schema_version > 0
    ) e
    left join lateral (
        select a.project from backstory.activity_projects a
        where a.stream_id = e.stream_id and a.version <= e.version
        order by a.version desc
        limit 1
    ) p on true
    group by 1, 2, 3
    on conflict (day, project, type) do update
    set events = activity.events + excluded.events, tokens = activity.tokens + excluded.tokens,
        input_tokens = activity.input_tokens + excluded.input_tokens,
        output_tokens = activity.output_tokens + excluded.output_tokens,
        cost_microdollars = activity.cost_microdollars + excluded.cost_microdollars;
end
$$;
