-- A stream's labels (title, tags, status, …) after one event. A label that is an object names a part of the event's
-- own contents, so the event's version is added to it; a null takes the label away.
create or replace function backstory.label(p_labels jsonb, p_version integer, p_effects jsonb) returns jsonb
language plpgsql immutable as $$
begin
    if not p_effects ? 'labels' then
        return p_labels;
    end if;
    return (
        select coalesce(jsonb_object_agg(
            key,
            case when jsonb_typeof(value) = 'object' then value || jsonb_build_object('version', p_version)
                 else value end) filter (where jsonb_typeof(value) <> 'null'), '{}')
        from (
            select key, value from jsonb_each(p_effects -> 'labels')
        ) as changed (key, value)
    ) || (p_labels - array(select jsonb_object_keys(p_effects -> 'labels')));
end
$$;
