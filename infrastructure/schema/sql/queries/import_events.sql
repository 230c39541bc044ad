-- One batch of an imported stream's events. Arrays go over in binary: as text, each byte would be escaped twice.
select backstory.import_events(
    %(stream)s, %(kind)s, %(first)s, %(origin_chain)s, %(chain)s,
    %(types)b::text[], %(schemas)b::int2[], %(recordeds)b::timestamptz[], %(occurreds)b::timestamptz[],
    %(epochs)b::int4[], %(causes)b::int4[], %(actors)b::text[], %(effectses)b::text[], %(payloads)b::bytea[]
);
