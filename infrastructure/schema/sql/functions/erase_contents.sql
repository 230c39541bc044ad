-- Erases contents for good. The caller appends the event that names them, in the same transaction.
create or replace function backstory.erase_contents(p_stream uuid, p_versions integer[], p_parts smallint[])
returns integer language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    erased integer;
begin
    perform set_config('backstory.door', 'erase', true);
    delete from backstory.contents c
    using unnest(p_versions, p_parts) as gone (version, part)
    where c.stream_id = p_stream and c.version = gone.version and c.part = gone.part;
    get diagnostics erased = row_count;
    perform set_config('backstory.door', '', true);
    return erased;
end
$$;
