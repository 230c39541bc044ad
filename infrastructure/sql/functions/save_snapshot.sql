-- Keeps a state. Two readers may compute the same one at once; the first is kept.
create or replace function backstory.save_snapshot(
    p_stream uuid, p_version integer, p_fold_version integer, p_state bytea
) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.snapshots (stream_id, version, fold_version, state)
    select p_stream, p_version, p_fold_version, p_state
    where exists (select 1 from backstory.streams s where s.stream_id = p_stream and s.version >= p_version)
    on conflict do nothing
$$;
