-- Stores a content over 1 KB, unless its bytes already stand in the stream: then it shares those.
create or replace function backstory.store_large_content(
    p_stream uuid, p_version integer, p_part smallint, p_media text, p_salt bytea, p_bytes bytea
) returns void language plpgsql as $$
declare
    print bytea := sha256(p_bytes);
    shared record;
begin
    select c.version, c.part into shared from backstory.contents c
    where c.stream_id = p_stream and c.fingerprint = print and c.bytes = p_bytes limit 1;
    if found then
        insert into backstory.contents (stream_id, version, part, media_type, salt, shared_version, shared_part)
        values (p_stream, p_version, p_part, p_media, p_salt, shared.version, shared.part);
    else
        insert into backstory.contents (stream_id, version, part, media_type, salt, fingerprint, bytes)
        values (p_stream, p_version, p_part, p_media, p_salt, print, p_bytes);
    end if;
end
$$;
