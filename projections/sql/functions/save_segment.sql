-- Adds a segment to a stream's search index, in place of those that it overlaps. The caller holds the index.
create or replace function backstory.save_segment(
    p_stream uuid, p_first integer, p_last integer, p_entries integer, p_terms smallint, p_documents bytea,
    p_postings bytea[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform backstory.remove_segments(p_stream, p_first, p_last);
    insert into backstory.search_segments (
        stream_id, first_version, last_version, entries, terms, buckets, documents)
    values (p_stream, p_first, p_last, p_entries, p_terms, cardinality(p_postings), p_documents);
    insert into backstory.search_postings (stream_id, first_version, bucket, postings)
    select p_stream, p_first, p.n - 1, p.postings
    from unnest(p_postings) with ordinality as p (postings, n);
end
$$;
