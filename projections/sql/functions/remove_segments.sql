-- Removes the segments of a stream's search index that have a version in a range.
create or replace function backstory.remove_segments(p_stream uuid, p_first integer, p_last integer) returns void
language plpgsql as $$
begin
    delete from backstory.search_postings p
    using backstory.search_segments s
    where s.stream_id = p_stream and s.first_version <= p_last and s.last_version >= p_first
        and p.stream_id = p_stream and p.first_version = s.first_version;
    delete from backstory.search_segments s
    where s.stream_id = p_stream and s.first_version <= p_last and s.last_version >= p_first;
end
$$;
