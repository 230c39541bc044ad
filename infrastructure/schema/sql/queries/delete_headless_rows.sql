-- Takes out a table's rows of streams that have no row of their own.
delete from {table} t
where not exists (select 1 from backstory.streams s where s.stream_id = t.stream_id);
