-- The keys of a stream's rows that are not what was drawn, missing ones and ones too many among them.
with used as materialized (select * from {table} where stream_id = %(stream)s),
    drawn as materialized (select * from {draft} where stream_id = %(stream)s)
select coalesce(array_agg({key} order by {key}), '{{}}')
from used
full join drawn using (stream_id, {key})
where row(used.*) is distinct from row(drawn.*);
