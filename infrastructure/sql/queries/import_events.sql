-- One batch of an imported stream's events.
select backstory.import_events(
    %(stream)s, %(kind)s, %(first)s, %(origin_chain)s, %(chain)s,
    %(types)s::text[], %(schemas)s::int2[], %(recordeds)s::timestamptz[], %(occurreds)s::timestamptz[],
    %(epochs)s::int4[], %(causes)s::int4[], %(actors)s::text[], %(effectses)s::text[], %(payloads)s::bytea[]
);
