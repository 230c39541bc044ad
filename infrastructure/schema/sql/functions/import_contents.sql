-- The contents of events that import_events has written in this transaction. Digests were checked by the caller, and
-- verify checks them again; what a content shares with a twin, it shares here too.
create or replace function backstory.import_contents(
    p_stream uuid, c_versions integer[], c_parts smallint[], c_medias text[], c_salts bytea[], c_bytes bytea[],
    c_twin_versions integer[], c_twin_parts smallint[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform backstory.require_import(p_stream);
    insert into backstory.contents (
        stream_id, version, part, media_type, salt, fingerprint, bytes, twin_version, twin_part)
    select p_stream, c.version, c.part, c.media, c.salt,
           case when octet_length(c.bytes) > 1024 then sha256(c.bytes) end, c.bytes, c.twin_version, c.twin_part
    from unnest(c_versions, c_parts, c_medias, c_salts, c_bytes, c_twin_versions, c_twin_parts)
        as c (version, part, media, salt, bytes, twin_version, twin_part);
end
$$;
