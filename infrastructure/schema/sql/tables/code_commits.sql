-- The commits that were indexed: the terms of the message, and the files that it touched, as paths that end with NUL. A row
-- may be removed at any time.
create table backstory.code_commits (
    commit_id bytea not null primary key,
    version   integer not null,
    used_on   date not null,
    message   bytea not null,
    files     bytea not null
);
