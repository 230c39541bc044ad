-- A decision never becomes something else, and its index is written once.
create index concurrently items_decided on backstory.items (stream_id, item) where type = 'decision';
