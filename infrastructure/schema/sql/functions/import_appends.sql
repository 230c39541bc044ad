-- The idempotency keys of events that import_events has written in this transaction, so that a call that was made
-- before the move is still known after it. The proof is made here.
create or replace function backstory.import_appends(
    p_stream uuid, p_keys text[], p_firsts integer[], p_lasts integer[], p_fingerprints bytea[]
) returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform backstory.require_import(p_stream);
    insert into backstory.appends (stream_id, key, first_version, last_version, fingerprint, proof)
    select p_stream, a.key, a.first, a.last, a.fingerprint,
           sha256(e.chain || int4send(a.first) || convert_to(a.key, 'UTF8') || a.fingerprint)
    from unnest(p_keys, p_firsts, p_lasts, p_fingerprints) as a (key, first, last, fingerprint)
    join backstory.events e on e.stream_id = p_stream and e.version = a.last;
end
$$;
