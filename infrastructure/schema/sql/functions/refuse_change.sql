-- What the append-only triggers run. The doors named in the trigger's arguments may pass; they are functions that
-- leave a trace of what they did.
create or replace function backstory.refuse_change() returns trigger
language plpgsql as $$
begin
    if coalesce(current_setting('backstory.door', true), '') = any (tg_argv) then
        return null;
    end if;
    raise exception using errcode = 'BS008',
        message = format('%s is append-only: %s is refused', tg_table_name, lower(tg_op));
end
$$;
