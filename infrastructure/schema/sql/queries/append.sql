-- The append in general: several events, keys, guards on items, new streams. What is not given is handed over as null.
select backstory.append(
    %(stream)s, %(kind)s, %(expected)s, %(items)s, %(since)s, %(epoch)s, %(key)s, %(fingerprint)s,
    %(type)s, %(schema)s, %(occurred)s, %(actor)s, %(cause)s, %(effects)s, %(payload)s,
    %(part)s, %(media)s, %(salt)s, %(bytes)s,
    %(types)s::text[], %(schemas)s::int2[], %(occurreds)s::timestamptz[], %(actors)s::text[], %(causes)s::int4[],
    %(effectses)s::text[], %(payloads)s::bytea[],
    %(content_events)s::int2[], %(content_parts)s::int2[], %(content_medias)s::text[], %(content_salts)s::bytea[],
    %(content_bytes)s::bytea[],
    %(origin_chain)s, %(base)s, %(recorded)s
);
