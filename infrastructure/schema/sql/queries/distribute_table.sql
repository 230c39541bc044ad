-- Puts a table's rows where their streams are.
select create_distributed_table(%s, 'stream_id', colocate_with => 'backstory.streams');
