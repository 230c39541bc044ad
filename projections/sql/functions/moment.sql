-- The moment so many microseconds after 1970. In two steps, since an interval is multiplied as a float, which holds fewer
-- digits than a far-off time has.
create or replace function backstory.moment(p_microseconds bigint) returns timestamptz
language sql immutable parallel safe as $$
    select 'epoch'::timestamptz + (p_microseconds / 3600000000) * interval '1 hour'
        + (p_microseconds % 3600000000) * interval '1 microsecond'
$$;
