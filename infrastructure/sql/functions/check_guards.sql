-- Refuses an append whose guard does not hold. p_head and p_head_epoch are null for a stream that does not exist.
create or replace function backstory.check_guards(
    p_stream uuid, p_head integer, p_head_epoch integer, p_kind text, p_expected integer, p_items integer[],
    p_since integer, p_epoch integer, p_origin_chain bytea, p_other_log boolean
) returns void language plpgsql stable as $$
begin
    if p_head is null then
        if p_kind is null or exists (select 1 from backstory.tombstones t where t.stream_id = p_stream) then
            raise exception using errcode = 'BS001', message = 'no such stream';
        end if;
        if p_origin_chain is null and p_expected <> 0 then
            raise exception using errcode = 'BS002', message = '0';
        end if;
        return;
    end if;
    if p_expected <> p_head or p_other_log or p_origin_chain is not null then
        raise exception using errcode = 'BS002', message = p_head::text;
    end if;
    if p_epoch <> p_head_epoch then
        raise exception using errcode = 'BS003', message = p_head_epoch::text;
    end if;
    if exists (
        select 1 from unnest(p_items) as guarded (item)
        left join backstory.items i on i.stream_id = p_stream and i.item = guarded.item
        where i.item is null or i.windows = '{}' or i.changed > p_since
    ) then
        raise exception using errcode = 'BS004', message = p_head::text;
    end if;
end
$$;
