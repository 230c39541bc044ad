-- Keeps a state, and says whether it did. Two readers may compute the same one at once; the first is kept. The version
-- must be there, and the stream's row is held until the end as a foreign key would, so that a purge leaves nothing
-- behind and a reader that comes too late adds nothing to a stream that is gone.
create or replace function backstory.save_snapshot(
    p_stream uuid, p_version integer, p_fold_version integer, p_state bytea
) returns boolean language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from backstory.streams s where s.stream_id = p_stream and s.version >= p_version for key share;
    if not found then
        return false;
    end if;
    insert into backstory.snapshots (stream_id, version, fold_version, state)
    values (p_stream, p_version, p_fold_version, p_state) on conflict do nothing;
    return found;
end
$$;
