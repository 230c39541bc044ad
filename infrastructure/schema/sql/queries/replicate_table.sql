-- Puts a copy of a table on every machine.
select create_reference_table(%s);
