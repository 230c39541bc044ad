-- Spreads the streams over the machines. What belongs to a stream goes where the stream is.
select create_distributed_table('backstory.streams', 'stream_id', colocate_with => 'none');
