-- name: add_key
-- Adds a key; false if its name is taken.
select backstory.add_key(
    %(prefix)s, %(name)s, %(hash)s, %(action)s, %(projects)s, %(agent)s, %(by)s, %(expires_at)s, %(grace)s);

-- name: revoke_key
-- Revokes the keys of a name.
select backstory.revoke_key(%s);

-- name: use_key
-- Notes that a key was used.
select backstory.use_key(%s);

-- name: keys
-- The keys, the newest first, and whether each is valid now.
select prefix, name, action, projects, agent, created_at, created_by, expires_at, revoked_at, last_used,
       revoked_at is null and coalesce(expires_at > now(), true)
from backstory.keys
order by created_at desc, prefix;

-- name: valid_key
-- The hash of a key that is valid now, what it may do, and whether its last use is worth noting.
select hash, name, action, projects, agent, coalesce(last_used < now() - interval '1 hour', true)
from backstory.keys
where prefix = %s and revoked_at is null and coalesce(expires_at > now(), true);

-- name: has_keys
-- Whether there is a key that is valid now.
select exists (select 1 from backstory.keys where revoked_at is null and coalesce(expires_at > now(), true));

-- name: note_call
-- Adds a call to the trail.
select backstory.note_call(%s, %s, %s, %s, %s, %s);

-- name: calls
-- The newest calls of the trail, newest first.
select call_id, called_at, caller, operation, path, status, address
from backstory.calls
order by called_at desc, call_id
limit %s;

-- name: begin_answer
-- Begins to answer a request under its idempotency key.
select outcome, status, body from backstory.begin_answer(%s, %s, %s, %s, %s, %s);

-- name: end_answer
-- Keeps or forgets the answer to a request.
select backstory.end_answer(%s, %s, %s);
