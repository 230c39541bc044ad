-- What consumers of the feed went on without: of one consumer, or of all.
select consumer, position, stream_id, version, type, reason, attempts, set_aside_at
from backstory.set_aside
where %(consumer)s::text is null or consumer = %(consumer)s
order by consumer, position;
