-- One row for each append call that carried an idempotency key: what it wrote, and a fingerprint of what was asked.
-- proof ties the row to the chain after the call.
create table backstory.appends (
    stream_id     uuid not null,
    key           text not null,
    first_version integer not null,
    last_version  integer not null,
    fingerprint   bytea not null,
    proof         bytea not null,
    primary key (stream_id, key)
);
