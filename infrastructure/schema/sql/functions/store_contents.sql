-- Stores the contents of an append that has several: the short ones in one statement, then the others, each of which
-- may find its twin among those before it.
create or replace function backstory.store_contents(
    p_stream uuid, p_first integer, c_events smallint[], c_parts smallint[], c_medias text[], c_salts bytea[],
    c_bytes bytea[]
) returns void language plpgsql as $$
begin
    insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
    select p_stream, p_first + c.event - 1, c.part, c.media, c.salt, c.bytes
    from unnest(c_events, c_parts, c_medias, c_salts, c_bytes) as c (event, part, media, salt, bytes)
    where octet_length(c.bytes) <= 1024;
    for k in 1 .. cardinality(c_bytes) loop
        if octet_length(c_bytes[k]) > 1024 then
            perform backstory.store_large_content(
                p_stream, p_first + c_events[k] - 1, c_parts[k], c_medias[k], c_salts[k], c_bytes[k]);
        end if;
    end loop;
end
$$;
