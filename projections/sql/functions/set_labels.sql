-- A stream's summary with labels (title, tags, status, …) set. A label that is an object names a part of the event's
-- own contents, so the event's version is added to it; a null takes the label away.
create or replace function backstory.set_labels(p_summary jsonb, p_version integer, p_labels jsonb) returns jsonb
language sql immutable as $$
    select jsonb_set(p_summary, '{labels}', ((p_summary -> 'labels') - array(select jsonb_object_keys(p_labels))) || (
        select coalesce(jsonb_object_agg(
            key, case when jsonb_typeof(value) = 'object' then value || jsonb_build_object('version', p_version)
                      else value end) filter (where jsonb_typeof(value) <> 'null'), '{}')
        from jsonb_each(p_labels)))
$$;
