-- One batch of an imported stream's contents.
select backstory.import_contents(%s, %s::jsonb, %b::bytea[]);
