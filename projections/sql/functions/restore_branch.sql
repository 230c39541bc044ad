-- Makes the read models those of an earlier version of the stream: clears them, writes the root's if the branch began
-- in another stream, and applies the branch's own events again. Its cost follows the branch's length.
create or replace function backstory.restore_branch(
    p_stream uuid, p_version integer, p_base jsonb, out labels jsonb, out counts jsonb
) language plpgsql as $$
declare
    piece record;
    event record;
begin
    delete from backstory.items where stream_id = p_stream;
    delete from backstory.windows where stream_id = p_stream;
    labels := coalesce(p_base -> 'labels', '{}');
    counts := coalesce(p_base -> 'counts', '{}');
    if p_base is not null then
        perform backstory.load_base(p_stream, p_base);
    end if;
    for piece in select * from backstory.branch_of(p_stream, p_version) loop
        for event in
            select e.version, coalesce(e.occurred_at, e.recorded_at) as at, e.effects::jsonb as effects
            from backstory.events e
            where e.stream_id = p_stream and e.effects is not null
              and e.version between piece.first_version and piece.last_version
            order by e.version
        loop
            perform backstory.apply_effects(p_stream, event.version, event.at, event.effects);
            labels := backstory.label(labels, event.version, event.effects);
            counts := backstory.count_items(counts, event.effects);
        end loop;
    end loop;
end
$$;
