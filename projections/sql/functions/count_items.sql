-- How many items of each type a stream's branch has brought, after one event.
create or replace function backstory.count_items(p_counts jsonb, p_effects jsonb) returns jsonb
language plpgsql immutable as $$
declare
    kind text := p_effects #>> '{brings,type}';
begin
    if kind is null then
        return p_counts;
    end if;
    return jsonb_set(p_counts, array[kind], to_jsonb(coalesce((p_counts ->> kind)::integer, 0) + 1));
end
$$;
