-- Exact bytes beside the log, named by place (version, part) and proved by the digest that the event holds.
-- Salt and bytes die with the row, so an erased content cannot be guessed from its digest. A content over 1 KB whose
-- bytes already stand in the stream keeps a salt of its own and names the content it shares them with.
create table backstory.contents (
    stream_id      uuid not null,
    version        integer not null,
    part           smallint not null,
    shared_part    smallint,
    shared_version integer,
    salt           bytea not null,
    media_type     text,
    fingerprint    bytea,
    bytes          bytea,
    primary key (stream_id, version, part)
);
create index contents_fingerprint on backstory.contents (stream_id, fingerprint) where fingerprint is not null;
