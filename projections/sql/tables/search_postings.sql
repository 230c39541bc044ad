-- In which texts of a segment each term occurs, packed. A term is in the bucket that its checksum gives, so that a query
-- reads only those of its terms.
create table backstory.search_postings (
    stream_id     uuid not null,
    first_version integer not null,
    bucket        smallint not null,
    postings      bytea not null,
    primary key (stream_id, first_version, bucket)
);
