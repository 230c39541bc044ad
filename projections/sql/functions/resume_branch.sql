-- Notes a branch point, makes the read models those of the version it resumes, and returns the stream's summary there.
create or replace function backstory.resume_branch(
    p_stream uuid, p_version integer, p_resumes jsonb, p_base jsonb
) returns jsonb language plpgsql as $$
begin
    insert into backstory.branch_points (stream_id, version, resumed_stream, resumed_version)
    values (p_stream, p_version, (p_resumes ->> 'stream')::uuid, (p_resumes ->> 'version')::integer);
    return backstory.restore_branch(
        p_stream,
        case when p_resumes ->> 'stream' = p_stream::text then (p_resumes ->> 'version')::integer end,
        p_base);
end
$$;
