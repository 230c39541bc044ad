-- One batch of an imported stream's contents.
select backstory.import_contents(
    %s, %b::int4[], %b::int2[], %b::text[], %b::bytea[], %b::bytea[], %b::int4[], %b::int2[]
);
