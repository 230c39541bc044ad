-- The chain after one event: SHA-256 of the chain before it and every envelope column. record_send puts the number of
-- columns first and each one's type and length before its bytes, with length -1 for an absent one. Times are integer
-- microseconds, so no time zone setting can change them. The position is left out: it says where the feed met the
-- event, not what the event is.
create or replace function backstory.next_chain(
    p_chain bytea, p_stream uuid, p_version integer, p_type text, p_schema smallint, p_recorded timestamptz,
    p_occurred timestamptz, p_epoch integer, p_cause integer, p_actor text, p_caller text,
    p_effects text, p_payload bytea
) returns bytea language sql stable parallel safe as $$
    select sha256(p_chain || record_send(row(
        p_stream, p_version, p_type, p_schema, p_recorded, p_occurred, p_epoch, p_cause, p_actor, p_caller,
        p_effects, p_payload)))
$$;
