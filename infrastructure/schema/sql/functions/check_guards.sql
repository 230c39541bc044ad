-- Refuses an append whose guard does not hold. p_head and p_head_epoch are null for a stream that does not exist.
create or replace function backstory.check_guards(
    p_stream uuid, p_head integer, p_head_epoch integer, p_kind text, p_expected integer, p_items integer[],
    p_since integer, p_epoch integer, p_origin_chain bytea, p_other_log boolean
) returns void language plpgsql stable as $$
declare
    refused boolean;
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
    -- Looked up or counted, and not joined: for a join the planner may read every row that the stream has (see
    -- apply_effects). One item, as a tool's result has, apart: for an array each call would be planned anew.
    if cardinality(p_items) = 1 then
        refused := not exists (
            select 1 from backstory.items i
            where i.stream_id = p_stream and i.item = p_items[1] and i.windows <> '{}'
                and (i.changed > p_since) is not true);
    elsif p_items is not null then
        refused := (select count(distinct guarded) from unnest(p_items) guarded) <> (
            select count(*) from backstory.items i
            where i.stream_id = p_stream and i.item = any (p_items) and i.windows <> '{}'
                and (i.changed > p_since) is not true);
    end if;
    if refused then
        raise exception using errcode = 'BS004', message = p_head::text;
    end if;
end
$$;
