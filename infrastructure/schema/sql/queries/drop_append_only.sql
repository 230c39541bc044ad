-- Takes a table's trigger away while the table is being spread.
drop trigger if exists append_only on {table};
