-- Notes a seam and makes the read models those of the version it resumes.
create or replace function backstory.resume_branch(
    p_stream uuid, p_version integer, p_resumes jsonb, p_base jsonb, out labels jsonb, out counts jsonb
) language plpgsql as $$
declare
    own boolean := p_resumes ->> 'stream' = p_stream::text;
begin
    insert into backstory.seams (stream_id, version, resumed_stream, resumed_version)
    values (p_stream, p_version, (p_resumes ->> 'stream')::uuid, (p_resumes ->> 'version')::integer);
    select r.labels, r.counts into labels, counts
    from backstory.restore_branch(
        p_stream, case when own then (p_resumes ->> 'version')::integer end, p_base) r;
end
$$;
