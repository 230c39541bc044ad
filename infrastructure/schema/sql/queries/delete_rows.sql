-- Takes some of a stream's rows out.
delete from {table}
where stream_id = %(stream)s and {key} = any (%(keys)s);
