-- States kept so that a read folds few events. Droppable: a missing one is made anew from the log.
create table backstory.snapshots (
    stream_id    uuid not null,
    version      integer not null,
    fold_version integer not null,
    state        bytea not null,
    primary key (stream_id, version, fold_version)
);
