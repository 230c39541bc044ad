create or replace function backstory.integer_array(list jsonb) returns integer[]
language sql immutable parallel safe as $$
    select coalesce(array_agg(value::integer order by place), '{}')
    from jsonb_array_elements_text(list) with ordinality as element (value, place)
$$;
