-- By position: a cluster sends a call with named arguments to no machine.
select backstory.append(
    %(stream)s, %(events)s::jsonb, %(payloads)s::bytea[], %(contents)s::jsonb, %(bytes)s::bytea[],
    %(expected)s::int4, %(recorded)s::timestamptz, %(epoch)s::int4, %(items)s::int4[], %(since)s::int4,
    %(key)s, %(fingerprint)s, %(kind)s, %(origin_chain)s, %(base)s
);
