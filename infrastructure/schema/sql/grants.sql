-- The service reads everything and writes through the functions below alone.
revoke all on schema backstory from public;
revoke execute on all functions in schema backstory from public;
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'backstory_service') then
        grant usage on schema backstory to backstory_service;
        grant select on all tables in schema backstory to backstory_service;
        grant select on all sequences in schema backstory to backstory_service;
        grant execute on function
            backstory.append, backstory.count_activity, backstory.erase_contents, backstory.forget_activity,
            backstory.forget_embeddings, backstory.forget_index, backstory.hold_index, backstory.mark_feed,
            backstory.save_embeddings, backstory.save_segment,
            backstory.save_snapshot, backstory.set_aside, backstory.start_over, backstory.take_up, backstory.track,
            backstory.import_events, backstory.import_contents, backstory.import_appends, backstory.finish_import,
            backstory.hold_stream, backstory.lock_stream, backstory.purge, backstory.set_retention,
            backstory.add_key, backstory.revoke_key, backstory.use_key, backstory.note_call,
            backstory.begin_answer, backstory.end_answer,
            backstory.begin_job, backstory.end_job, backstory.job_due, backstory.job_failures,
            backstory.save_code_files, backstory.save_code_commits, backstory.use_code
            to backstory_service;
    end if;
end
$$;
