-- Ends an import: the stream must be where its export ended, and its read models are made by the same function that
-- appends go through. A stream that was purged here may come back only as what was purged; its tombstone then goes,
-- since what that stands for is there again. p_base is the root of a branch that began in another stream.
create or replace function backstory.finish_import(
    p_stream uuid, p_version integer, p_chain bytea, p_base jsonb
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    summary_there jsonb;
begin
    perform backstory.require_import(p_stream);
    if not exists (
        select 1 from backstory.streams s
        where s.stream_id = p_stream and s.version = p_version and s.chain = p_chain) then
        raise exception using errcode = 'BS009', message = 'the stream does not end where its export did';
    end if;
    if exists (
        select 1 from backstory.tombstones t
        where t.stream_id = p_stream and (t.version <> p_version or t.chain <> p_chain)) then
        raise exception using errcode = 'BS010', message = format('session %s was purged as another one', p_stream);
    end if;
    perform set_config('backstory.door', 'import', true);
    delete from backstory.tombstones where stream_id = p_stream;
    perform set_config('backstory.door', '', true);
    summary_there := backstory.restore_branch(p_stream, p_version, p_base);
    update backstory.streams s set summary = summary_there where s.stream_id = p_stream;
end
$$;
