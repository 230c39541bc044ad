-- Takes a stream that is about to be purged out of the activity, as far as it has been counted. What comes after that is
-- gone before anybody counts it; imported again, all of it comes after that.
create or replace function backstory.uncount_activity(p_stream uuid) returns void
language plpgsql volatile as $$
declare
    counted bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('activity', 20262));
    select max(t.position) into counted from backstory.tracking t where t.consumer = 'activity';
    update backstory.activity a
    set events = a.events - c.events, tokens = a.tokens - c.tokens, input_tokens = a.input_tokens - c.input_tokens,
        output_tokens = a.output_tokens - c.output_tokens, cost_microdollars = a.cost_microdollars - c.cost_microdollars
    from backstory.activity_in(0, counted, p_stream) c
    where a.day = c.day and a.project = c.project and a.type = c.type;
    delete from backstory.activity a where a.events <= 0;
    delete from backstory.activity_projects p where p.stream_id = p_stream;
end
$$;
