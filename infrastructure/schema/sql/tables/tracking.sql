-- How far each consumer of the feed has come.
create table backstory.tracking (
    consumer text not null,
    position bigint not null,
    primary key (consumer, position)
);
