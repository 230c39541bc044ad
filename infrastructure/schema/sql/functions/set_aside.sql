-- Notes an event that a consumer goes on without. Asked again, the newest reason counts.
create or replace function backstory.set_aside(p_consumer text, p_position bigint, p_attempts integer, p_reason text)
returns void language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
    insert into backstory.set_aside (consumer, position, stream_id, version, attempts, set_aside_at, type, reason)
    select p_consumer, e.position, e.stream_id, e.version, p_attempts, clock_timestamp(), e.type, p_reason
    from backstory.events e
    where e.position = p_position
    on conflict (consumer, position) do update
    set attempts = set_aside.attempts + excluded.attempts, set_aside_at = excluded.set_aside_at, reason = excluded.reason
$$;
