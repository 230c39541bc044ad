-- Adds the events in a range of positions to the activity. First, in order, what they say of projects: a label sets one, and
-- a backtrack or a fork goes on with that of the version it resumes. So an event counts for the project that its session
-- belonged to then, whenever it is counted. The lock is the one under which the position is noted: a purge takes it too, and
-- finds an event either counted and noted or neither.
create or replace function backstory.count_activity(p_after bigint, p_upto bigint) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    found_event record;
begin
    perform pg_advisory_xact_lock(hashtextextended('activity', 20262));
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
    select c.day, c.project, c.type, c.events, c.tokens, c.input_tokens, c.output_tokens, c.cost_microdollars
    from backstory.activity_in(p_after, p_upto, null) c
    on conflict (day, project, type) do update
    set events = activity.events + excluded.events, tokens = activity.tokens + excluded.tokens,
        input_tokens = activity.input_tokens + excluded.input_tokens,
        output_tokens = activity.output_tokens + excluded.output_tokens,
        cost_microdollars = activity.cost_microdollars + excluded.cost_microdollars;
end
$$;
