-- The schema. Frozen once released: later changes are migrations of their own.

-- The head of every stream: where the next event goes, what it chains to, which epoch its writer must carry. summary
-- is the stream's read model in one document, so that an append changes one row: labels, windows with their settings,
-- and flat tallies (type:message, items:main, tokens:main), which one concatenation renews. No column that an append
-- changes is indexed: each update stays on its page (HOT).
create table backstory.streams (
    stream_id   uuid not null primary key,
    started_at  timestamptz not null,
    recorded_at timestamptz not null,
    version     integer not null,
    epoch       integer not null,
    kind        text not null,
    chain       bytea not null,
    summary     jsonb not null
) with (fillfactor = 50);

-- The log. occurred_at is null where it is the recorded time. payload and effects are never read back from columns
-- of their own: the chain is over their exact bytes. actor is whom the writer named; caller is the key it wrote with.
create table backstory.events (
    stream_id      uuid not null,
    position       bigint not null,
    recorded_at    timestamptz not null,
    occurred_at    timestamptz,
    version        integer not null,
    epoch          integer not null,
    cause          integer constraint cause_is_earlier check (cause < version),
    schema_version smallint not null,
    type           text not null,
    actor          text,
    caller         text,
    chain          bytea not null,
    effects        text,
    payload        bytea not null,
    primary key (stream_id, version)
);
create index events_position on backstory.events (position);
create index events_called on backstory.events (stream_id, version) where type = 'model.called';
create index events_made_from on backstory.events using gin ((effects::jsonb #> '{brings,made_from}'))
    where type = 'memory.recorded';

-- Where each event stands in the feed of all streams. Numbers are drawn in the order of transactions' work, not of
-- their commits, and one that was rolled back leaves a gap.
create sequence backstory.positions;

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

-- States kept so that a read folds few events. Droppable: a missing one is made anew from the log.
create table backstory.snapshots (
    stream_id    uuid not null,
    version      integer not null,
    fold_version integer not null,
    state        bytea not null,
    primary key (stream_id, version, fold_version)
);

-- What remains of a purged stream: its length and its final chain.
create table backstory.tombstones (
    stream_id uuid not null primary key,
    version   integer not null,
    chain     bytea not null,
    purged_at timestamptz not null default now()
);

-- How far each consumer of the feed has come.
create table backstory.tracking (
    consumer text not null,
    position bigint not null,
    primary key (consumer, position)
);

-- Events that a consumer of the feed could not apply and went on without, with the reason. Once the consumer is mended they
-- are taken up again.
create table backstory.set_aside (
    consumer     text not null,
    position     bigint not null,
    stream_id    uuid not null,
    version      integer not null,
    attempts     integer not null,
    set_aside_at timestamptz not null,
    type         text not null,
    reason       text not null,
    primary key (consumer, position)
);

-- What workers did: one row a run of a scheduled job, the newest some hundred of each. The newest row decides when the
-- job is due again, whoever asks. A row without an end is of a run under way, or of a worker that died.
create table backstory.job_runs (
    job           text not null,
    run           bigint not null,
    worker        text not null,
    every_seconds double precision not null,
    started_at    timestamptz not null,
    ended_at      timestamptz,
    outcome       text,
    changed       bigint,
    error         text,
    mark          text,
    primary key (job, run)
);

-- How long the ended sessions of each project are kept, and what then becomes of them. Rules are never changed: the
-- newest one of a project holds, and those before it tell what held when. action: purge, erase or keep.
create table backstory.retention_rules (
    project    text not null,
    number     integer not null,
    action     text not null,
    after_days integer,
    directory  text,
    compressed boolean not null,
    set_at     timestamptz not null,
    set_by     text,
    keeps_memories boolean not null default false,
    primary key (project, number)
);

-- How far the last rebuild of all read models has come, so that an interrupted one goes on: sessions are done in the
-- order of their beginnings, and this is the last one of which all before it are done.
create table backstory.rebuilds (
    projections       text not null primary key,
    started_at        timestamptz not null,
    finished_at       timestamptz,
    stream_started_at timestamptz,
    last_stream       uuid,
    sessions          integer not null,
    events            bigint not null
);

-- One row an item on the stream's current branch. windows is empty once the item has left every window; it goes on
-- cooling, and an access warms it. cools_from and warms_until are null while the session is ended. In whole minutes many
-- items share one, and an index keeps what they share once.
create table backstory.items (
    stream_id   uuid not null,
    brought_at  timestamptz not null,
    touched_at  timestamptz not null,
    importance  float8 not null,
    item        integer not null,
    changed     integer not null,
    tokens      integer not null,
    accesses    integer not null,
    private     boolean not null,
    tier        text not null,
    type        text not null,
    windows     text[] not null,
    encoding    text,
    agent       text,
    task        text,
    item_references integer[],
    recounts    jsonb,
    origin      text not null,
    trust       smallint not null,
    quarantined boolean not null,
    flags       text[] not null,
    brought_in  uuid,
    cools_from  integer,
    warms_until integer,
    primary key (stream_id, item)
);
create index items_cool on backstory.items (cools_from) where cools_from is not null;
create index items_decided on backstory.items (stream_id, item) where type = 'decision';
create index items_flagged on backstory.items (stream_id, item) where flags <> '{}';
create index items_quarantined on backstory.items (stream_id, item) where quarantined;
create index items_warm on backstory.items (warms_until) where warms_until is not null;

-- Where a stream's history does not follow from the version before it: a backtrack, or a fork's first event.
create table backstory.branch_points (
    stream_id       uuid not null,
    version         integer not null,
    resumed_stream  uuid not null,
    resumed_version integer not null,
    primary key (stream_id, version)
);

-- Named versions with the chain there. They outlive backtracks: a checkpoint of an abandoned branch is a way to redo it.
create table backstory.checkpoints (
    stream_id uuid not null,
    version   integer not null,
    name      text not null,
    primary key (stream_id, version)
);

-- What was done, by day (UTC), project and type of event. Kept from the feed. The project is '' where there is none.
create table backstory.activity (
    day               date not null,
    project           text not null,
    type              text not null,
    events            bigint not null,
    tokens            bigint not null,
    input_tokens      bigint not null,
    output_tokens     bigint not null,
    cost_microdollars bigint not null,
    primary key (day, project, type)
);

-- Which project each session belonged to from a version on, as the activity has met it in the feed.
create table backstory.activity_projects (
    stream_id uuid not null,
    version   integer not null,
    project   text,
    primary key (stream_id, version)
);

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

-- In which texts of a segment each term occurs, packed. A term is in the bucket that its checksum gives, so that a query
-- reads only those of its terms.
create table backstory.search_postings (
    stream_id     uuid not null,
    first_version integer not null,
    bucket        smallint not null,
    postings      bytea not null,
    primary key (stream_id, first_version, bucket)
);

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

-- Calls of the service that were refused to a key, and those that need the right to operate or administer: who, what,
-- when, from where, and how it ended.
create table backstory.calls (
    call_id   uuid not null primary key,
    called_at timestamptz not null,
    caller    text,
    operation text not null,
    path      text not null,
    status    integer not null,
    address   text
);
create index calls_newest on backstory.calls (called_at);

-- Answers of the service to writes that were made under an idempotency key and that the log alone cannot give again, for
-- a day. A row without a status stands for a request under way. Of the key only its hash is kept. A bare answer holds
-- nothing that was recorded; the others are removed by every erasure and purge.
create table backstory.answers (
    caller   text not null,
    path     text not null,
    key      bytea not null,
    request  bytea not null,
    owner    uuid not null,
    began_at timestamptz not null,
    bare     boolean not null,
    status   integer,
    body     bytea,
    primary key (caller, path, key)
);
create index answers_oldest on backstory.answers (began_at);
create index answers_owner on backstory.answers (owner);

-- The code files that were indexed, by the digest of their bytes: its terms, its imports, its
-- definitions and the terms of these. Projects and processes share them. A row may be removed at any time; it is made anew
-- from the file.
create table backstory.code_files (
    digest      bytea not null,
    language    text not null,
    version     integer not null,
    used_on     date not null,
    lines       integer not null,
    refusal     text,
    content     bytea not null,
    imports     bytea not null,
    definitions bytea not null,
    chunks      bytea not null,
    primary key (digest, language)
);

-- The commits that were indexed: the terms of the message, and the files that it touched, as paths that end with NUL. A row
-- may be removed at any time.
create table backstory.code_commits (
    commit_id bytea not null primary key,
    version   integer not null,
    used_on   date not null,
    message   bytea not null,
    files     bytea not null
);
