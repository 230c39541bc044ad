-- The trust of an item by its origin alone, as the fold has it: 2 from the user, 1 from the model or a tool on the
-- caller's own data, 0 from anywhere else.
create or replace function backstory.trust_of(p_origin text) returns smallint language sql immutable as $$
    select case p_origin when 'user' then 2 when 'model' then 1 when 'internal_tool' then 1 else 0 end::smallint
$$;
