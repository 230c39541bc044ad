-- The chain after one event: SHA-256 of the chain before it and every envelope column, each with its length in front.
-- Times are integer microseconds (since 2000-01-01 UTC), so no time zone setting can change them. The position is left
-- out: it says where the feed met the event, not what the event is.
create or replace function backstory.next_chain(
    p_chain bytea, p_stream uuid, p_version integer, p_type text, p_schema smallint, p_recorded timestamptz,
    p_occurred timestamptz, p_epoch integer, p_cause integer, p_actor text, p_effects text, p_payload bytea
) returns bytea language sql immutable parallel safe as $$
    select sha256(
        p_chain
        || '\x00000010'::bytea || uuid_send(p_stream)
        || '\x00000004'::bytea || int4send(p_version)
        || int4send(octet_length(p_type)) || convert_to(p_type, 'UTF8')
        || '\x00000002'::bytea || int2send(p_schema)
        || '\x00000008'::bytea || timestamptz_send(p_recorded)
        || coalesce('\x00000008'::bytea || timestamptz_send(p_occurred), '\xffffffff')
        || '\x00000004'::bytea || int4send(p_epoch)
        || coalesce('\x00000004'::bytea || int4send(p_cause), '\xffffffff')
        || coalesce(int4send(octet_length(p_actor)) || convert_to(p_actor, 'UTF8'), '\xffffffff')
        || coalesce(int4send(octet_length(p_effects)) || convert_to(p_effects, 'UTF8'), '\xffffffff')
        || int4send(octet_length(p_payload)) || p_payload)
$$;
