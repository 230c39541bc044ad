-- The keys of the service. Of the secret only its hash is kept; prefix is the part of it that may be seen. A rotated key
-- is another row of the same name, so a name always stands for the same holder. last_used is coarse.
create table backstory.keys (
    prefix     text not null primary key,
    name       text not null,
    hash       bytea not null,
    action     text not null,
    projects   text[],
    agent      text,
    created_at timestamptz not null,
    created_by text,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used  timestamptz
);
