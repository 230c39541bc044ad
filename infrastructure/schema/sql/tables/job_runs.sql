-- What workers did: one row a run of a scheduled job, the newest some hundred of each. The newest row decides when the
-- job is due again, whoever asks. A row without an end is of a run under way, or of a worker that died.
create table backstory.job_runs (
    job           text not null,
    run           bigint not null,
    worker        text not null,
    every_seconds double precision not null,
    started_at    timestamptz not null,
    ended_at      timestamptz,
    outcome       text,
    changed       bigint,
    error         text,
    mark          text,
    primary key (job, run)
);
