-- What an append under this key came to, in the form that append returns; null when the key is new. A key that was
-- used for another request is refused.
create or replace function backstory.earlier_append(
    p_stream uuid, p_key text, p_fingerprint bytea, p_epoch integer
) returns bigint[] language plpgsql stable as $$
declare
    earlier record;
begin
    if p_key is null then
        return null;
    end if;
    select a.first_version, a.last_version, a.fingerprint, e.recorded_at into earlier
    from backstory.appends a
    join backstory.events e on e.stream_id = a.stream_id and e.version = a.last_version
    where a.stream_id = p_stream and a.key = p_key;
    if not found then
        return null;
    end if;
    if earlier.fingerprint <> p_fingerprint then
        raise exception using errcode = 'BS005', message = 'key used for another request';
    end if;
    return array[earlier.first_version, earlier.last_version,
                 extract(epoch from earlier.recorded_at) * 1000000, p_epoch, 1];
end
$$;
