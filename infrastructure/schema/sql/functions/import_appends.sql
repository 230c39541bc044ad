-- The idempotency keys of events that import_events has written in this transaction, so that a call that was made
-- before the move is still known after it: of each its key, first and last version, and fingerprint (hexadecimal). The
-- proof is made here.
create or replace function backstory.import_appends(p_stream uuid, p_appends jsonb)
returns void language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform backstory.require_import(p_stream);
    insert into backstory.appends (stream_id, key, first_version, last_version, fingerprint, proof)
    select p_stream, a.key, a.first, a.last, decode(a.fingerprint, 'hex'),
           sha256(e.chain || int4send(a.first) || convert_to(a.key, 'UTF8') || decode(a.fingerprint, 'hex'))
    from jsonb_to_recordset(p_appends) as a (key text, first integer, last integer, fingerprint text)
    join backstory.events e on e.stream_id = p_stream and e.version = a.last;
end
$$;
