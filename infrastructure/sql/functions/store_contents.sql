-- Writes the contents of an append. Bytes over 1 KB that already stand in the stream are stored once: the newcomer
-- points at its twin. The common case, small contents only, is one insert.
create or replace function backstory.store_contents(
    p_stream uuid, p_first integer, c_events smallint[], c_parts smallint[], c_media text[], c_salts bytea[],
    c_bytes bytea[]
) returns void language plpgsql as $$
declare
    print bytea;
    twin record;
begin
    for k in 1 .. cardinality(c_bytes) loop
        if octet_length(c_bytes[k]) > 1024 then
            print := sha256(c_bytes[k]);
            select c.version, c.part into twin from backstory.contents c
            where c.stream_id = p_stream and c.fingerprint = print and c.bytes = c_bytes[k] limit 1;
            if found then
                insert into backstory.contents (
                    stream_id, version, part, media_type, salt, twin_version, twin_part)
                values (p_stream, p_first + c_events[k] - 1, c_parts[k], c_media[k], c_salts[k],
                        twin.version, twin.part);
            else
                insert into backstory.contents (stream_id, version, part, media_type, salt, fingerprint, bytes)
                values (p_stream, p_first + c_events[k] - 1, c_parts[k], c_media[k], c_salts[k], print, c_bytes[k]);
            end if;
        else
            insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
            values (p_stream, p_first + c_events[k] - 1, c_parts[k], c_media[k], c_salts[k], c_bytes[k]);
        end if;
    end loop;
end
$$;
