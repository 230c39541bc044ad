-- The vectors of texts, for searches by meaning: of an event's text by the model that is set. A text may be without one,
-- and a row may be removed at any time. `vector` holds its numbers as half-precision floats, little-endian.
create table backstory.embeddings (
    stream_id uuid not null,
    version   integer not null,
    model     text not null,
    dimension integer not null,
    vector    bytea not null,
    primary key (stream_id, version)
);
