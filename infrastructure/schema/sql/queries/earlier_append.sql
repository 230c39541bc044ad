-- What an idempotency key was used for.
select first_version, last_version, fingerprint
from backstory.appends
where stream_id = %s and key = %s;
