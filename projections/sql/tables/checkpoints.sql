-- Named versions with the chain there. They outlive backtracks: a checkpoint of an abandoned branch is a way to redo it.
create table backstory.checkpoints (
    stream_id uuid not null,
    version   integer not null,
    name      text not null,
    primary key (stream_id, version)
);
