-- The search index, in segments: each holds the texts that a run of one stream's own events brought. A version that no
-- segment covers is read from the log instead, so a segment may be removed at any time. `documents` says what is known of
-- each text beside its words, packed; `terms` is the version of the rules that made them.
create table backstory.search_segments (
    stream_id     uuid not null,
    first_version integer not null,
    last_version  integer not null,
    entries       integer not null,
    terms         smallint not null,
    buckets       smallint not null,
    documents     bytea not null,
    primary key (stream_id, first_version)
);
