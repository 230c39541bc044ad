-- Where a stream's history does not follow from the version before it: a backtrack, or a fork's first event.
create table backstory.branch_points (
    stream_id       uuid not null,
    version         integer not null,
    resumed_stream  uuid not null,
    resumed_version integer not null,
    primary key (stream_id, version)
);
