-- Which project each session belonged to from a version on, as the activity has met it in the feed.
create table backstory.activity_projects (
    stream_id uuid not null,
    version   integer not null,
    project   text,
    primary key (stream_id, version)
);
