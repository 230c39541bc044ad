-- Erases contents for good, and the segments of the search index that hold their words, and the vectors of their texts. The
-- caller appends the event that names them, in the same transaction.
create or replace function backstory.erase_contents(p_stream uuid, p_versions integer[], p_parts smallint[])
returns integer language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    erased integer;
    erased_version integer;
begin
    perform backstory.hold_index(p_stream);
    perform set_config('backstory.door', 'erase', true);
    delete from backstory.contents c
    using unnest(p_versions, p_parts) as gone (version, part)
    where c.stream_id = p_stream and c.version = gone.version and c.part = gone.part;
    get diagnostics erased = row_count;
    perform set_config('backstory.door', '', true);
    foreach erased_version in array p_versions loop
        perform backstory.remove_segments(p_stream, erased_version, erased_version);
    end loop;
    delete from backstory.embeddings e where e.stream_id = p_stream and e.version = any (p_versions);
    delete from backstory.answers a where not a.bare;
    return erased;
end
$$;
