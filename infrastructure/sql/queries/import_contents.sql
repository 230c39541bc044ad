-- One batch of an imported stream's contents.
select backstory.import_contents(
    %s, %s::int4[], %s::int2[], %s::text[], %s::bytea[], %s::bytea[], %s::int4[], %s::int2[]
);
