create or replace function backstory.text_array(list jsonb) returns text[]
language sql immutable parallel safe as $$
    select coalesce(array_agg(value order by place), '{}')
    from jsonb_array_elements_text(list) with ordinality as element (value, place)
$$;
