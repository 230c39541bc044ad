-- The contents of events that import_events has written in this transaction: of each its version, part, salt
-- (hexadecimal), media (unless plain text) and, if its bytes are another content's, shared_version and shared_part.
-- Digests were checked by the caller, and verify checks them again.
create or replace function backstory.import_contents(
    p_stream uuid, p_contents jsonb, p_bytes bytea[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform backstory.require_import(p_stream);
    insert into backstory.contents (
        stream_id, version, part, media_type, salt, fingerprint, bytes, shared_version, shared_part)
    select p_stream, c.version, c.part, c.media, decode(c.salt, 'hex'),
           case when octet_length(c.bytes) > 1024 then sha256(c.bytes) end, c.bytes, c.shared_version, c.shared_part
    from rows from (
        jsonb_to_recordset(p_contents) as (
            version integer, part smallint, media text, salt text, shared_version integer, shared_part smallint),
        unnest(p_bytes)
    ) as c (version, part, media, salt, shared_version, shared_part, bytes);
end
$$;
