-- Makes the read models those of an earlier version of the stream, and returns its summary there: begins the branch anew
-- and applies the branch's own events again. Its cost follows the branch's length.
create or replace function backstory.restore_branch(p_stream uuid, p_version integer, p_base jsonb)
returns jsonb language plpgsql as $$
declare
    summary jsonb := backstory.begin_branch(p_stream, p_base);
    piece record;
begin
    for piece in select * from backstory.branch_of(p_stream, p_version) b where b.last_version is not null loop
        -- A few thousand events at a time, so that however long the branch is, little of it is held at once.
        for start in piece.first_version .. piece.last_version by 5000 loop
            summary := backstory.apply_events(p_stream, start, least(start + 4999, piece.last_version), summary);
        end loop;
    end loop;
    return summary;
end
$$;
