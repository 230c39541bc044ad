-- What feed projections need: the events they could not apply, and the first of them, the activity.

create table backstory.set_aside (
    consumer     text not null,
    position     bigint not null,
    stream_id    uuid not null,
    version      integer not null,
    attempts     integer not null,
    set_aside_at timestamptz not null,
    type         text not null,
    reason       text not null,
    primary key (consumer, position)
);

create table backstory.activity (
    day               date not null,
    project           text not null,
    type              text not null,
    events            bigint not null,
    tokens            bigint not null,
    input_tokens      bigint not null,
    output_tokens     bigint not null,
    cost_microdollars bigint not null,
    primary key (day, project, type)
);

create table backstory.activity_projects (
    stream_id uuid not null,
    version   integer not null,
    project   text,
    primary key (stream_id, version)
);
