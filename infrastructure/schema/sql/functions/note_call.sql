-- Adds a call to the trail.
create or replace function backstory.note_call(
    p_call uuid, p_caller text, p_operation text, p_path text, p_status integer, p_address text
) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.calls (call_id, called_at, caller, operation, path, status, address)
    values (p_call, clock_timestamp(), p_caller, p_operation, p_path, p_status, p_address)
$$;
