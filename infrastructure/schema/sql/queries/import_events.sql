-- One batch of an imported stream's events. Payloads go over in binary: as text, each byte would be escaped twice.
select backstory.import_events(
    %(stream)s, %(kind)s, %(first)s, %(origin_chain)s, %(chain)s, %(events)s::jsonb, %(payloads)b::bytea[]
);
