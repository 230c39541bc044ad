-- A stream's idempotency keys in the order in which their appends ended, those of one event by the bytes of their keys.
select key, first_version, last_version, fingerprint, proof
from backstory.appends
where stream_id = %s
order by last_version, key collate "C";
