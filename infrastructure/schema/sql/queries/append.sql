-- name: append
-- By position: a cluster sends a call with named arguments to no machine.
select backstory.append(
    %(stream)s, %(events)s::jsonb, %(payloads)s::bytea[], %(contents)s::jsonb, %(bytes)s::bytea[],
    %(expected)s::int4, %(recorded)s::timestamptz, %(epoch)s::int4, %(items)s::int4[], %(since)s::int4,
    %(key)s, %(fingerprint)s, %(kind)s, %(origin_chain)s, %(base)s
);

-- name: lock_stream
-- The lock that every append to the stream takes, held to the end of the transaction. Advisory locks of ours have these
-- numbers: 20260 with a stream's hash, 20261 for drawing positions, 20262 with a consumer's hash, 20263 for upgrades,
-- 20264 with a job's hash, 20265 with that of a projection for whoever leads it, 20266 for whoever makes it anew, 20267
-- with a project's hash, 20268 for the rebuild of all read models, 20269 with the hash of a stream that is indexed.
select backstory.lock_stream(%s);

-- name: hold_stream
-- Keeps a stream from being purged until the transaction ends; says whether it is there.
select backstory.hold_stream(%s);

-- name: earlier_append
-- What an idempotency key was used for.
select first_version, last_version, fingerprint
from backstory.appends
where stream_id = %s and key = %s;

-- name: erase_contents
-- Takes away the bytes at these places of a stream.
select backstory.erase_contents(%s, %s::integer[], %s::smallint[]);

-- name: purge
-- Removes a whole stream that is at this version, and leaves a tombstone.
select backstory.purge(%s, %s);
