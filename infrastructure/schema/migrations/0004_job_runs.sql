-- The history of scheduled jobs, by which several workers share them.
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
