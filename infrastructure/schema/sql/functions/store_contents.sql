-- Stores the contents of an append: the short ones in one statement, then the others, each of which may share the bytes
-- of one before it.
create or replace function backstory.store_contents(
    p_stream uuid, p_first integer, p_contents jsonb, p_bytes bytea[]
) returns void language plpgsql as $$
declare
    content record;
begin
    insert into backstory.contents (stream_id, version, part, media_type, salt, bytes)
    select p_stream, p_first + c.event - 1, c.part, c.media, decode(c.salt, 'hex'), c.bytes
    from rows from (
        jsonb_to_recordset(p_contents) as (event integer, part smallint, media text, salt text), unnest(p_bytes)
    ) as c (event, part, media, salt, bytes)
    where (octet_length(c.bytes) > 1024) is not true;
    for content in
        select p_first + c.event - 1 as version, c.part, c.media, decode(c.salt, 'hex') as salt, c.bytes
        from rows from (
            jsonb_to_recordset(p_contents) as (event integer, part smallint, media text, salt text), unnest(p_bytes)
        ) with ordinality as c (event, part, media, salt, bytes, n)
        where octet_length(c.bytes) > 1024
        order by c.n
    loop
        perform backstory.store_large_content(
            p_stream, content.version, content.part, content.media, content.salt, content.bytes);
    end loop;
end
$$;
