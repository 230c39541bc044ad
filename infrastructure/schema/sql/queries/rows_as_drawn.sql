-- Some of a stream's rows, as they are and as they were drawn.
with used as materialized (select * from {table} where stream_id = %(stream)s and {key} = any (%(keys)s)),
    drawn as materialized (select * from {draft} where stream_id = %(stream)s and {key} = any (%(keys)s))
select {key}, to_jsonb(used), to_jsonb(drawn)
from used
full join drawn using (stream_id, {key})
order by {key};
