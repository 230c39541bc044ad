-- The pieces of this stream's own log that lead to a version, oldest first. A branch that began in another stream
-- has its root there: the pieces begin after it.
create or replace function backstory.branch_of(p_stream uuid, p_version integer)
returns table (first_version integer, last_version integer) language sql stable as $$
    with recursive piece as (
        select p_version as last_version, branch_point.*
        from (select 1) as one
        left join lateral (
            select s.version, s.resumed_stream, s.resumed_version from backstory.branch_points s
            where s.stream_id = p_stream and s.version <= p_version order by s.version desc limit 1
        ) branch_point on true
        union all
        select p.resumed_version, branch_point.*
        from piece p
        left join lateral (
            select s.version, s.resumed_stream, s.resumed_version from backstory.branch_points s
            where s.stream_id = p_stream and s.version <= p.resumed_version order by s.version desc limit 1
        ) branch_point on true
        where p.resumed_stream = p_stream
    )
    select coalesce(version, 1), last_version from piece order by last_version
$$;
