-- Keeps the vectors of a stream's texts, in place of those of another model. The caller holds the index.
create or replace function backstory.save_embeddings(
    p_stream uuid, p_model text, p_dimension integer, p_versions integer[], p_vectors bytea[]
) returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.embeddings (stream_id, version, model, dimension, vector)
    select p_stream, g.version, p_model, p_dimension, g.vector
    from unnest(p_versions, p_vectors) as g (version, vector)
    on conflict (stream_id, version) do update
    set model = excluded.model, dimension = excluded.dimension, vector = excluded.vector;
$$;
