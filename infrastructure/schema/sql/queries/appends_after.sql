-- A stream's idempotency keys beyond one, a batch of them, with the chain of the last event that each stands for.
select a.key, a.first_version, a.fingerprint, a.proof, e.chain
from backstory.appends a
left join backstory.events e on e.stream_id = a.stream_id and e.version = a.last_version
where a.stream_id = %s and (%s::text is null or a.key > %s)
order by a.key
limit %s;
