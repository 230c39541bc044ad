-- What was done, by day (UTC), project and type of event. Kept from the feed. The project is '' where there is none.
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
