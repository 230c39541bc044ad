-- The lock that every append to the stream takes, held to the end of the transaction. Advisory locks of ours have these
-- numbers: 20260 with a stream's hash, 20261 for drawing positions, 20262 with a consumer's hash, 20263 for upgrades,
-- 20264 with a job's hash, 20265 with that of a projection for whoever leads it, 20266 for whoever makes it anew, 20267
-- with a project's hash, 20268 for the rebuild of all read models.
select backstory.lock_stream(%s);
