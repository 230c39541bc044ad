"""Queries on the read models."""

ITEM_COLUMNS = (
    "item, type, tokens, importance, tier, windows, brought_at, touched_at, accesses, changed, agent, private, task, "
    "item_references, encoding, recounts, origin"
)

ITEMS = f"select {ITEM_COLUMNS} from backstory.items where stream_id = %s order by item"

ITEMS_AFTER = (
    f"select {ITEM_COLUMNS} from backstory.items where stream_id = %s and item > %s order by item limit %s"
)

ITEMS_BY_ID = (
    f"select {ITEM_COLUMNS} from backstory.items where stream_id = %s and item = any (%s) order by item"
)

WINDOWS = (
    "select name, token_limit, encoding, model, items, tokens from backstory.windows where stream_id = %s "
    "order by name"
)

CHECKPOINTS = (
    "select c.version, c.name, e.chain, e.recorded_at from backstory.checkpoints c "
    "join backstory.events e using (stream_id, version) where stream_id = %s and c.version <= %s order by c.version"
)

DECISIONS = (
    "select decision from backstory.decisions where stream_id = %s and decision < %s "
    "order by decision desc limit %s"
)

SESSIONS = (
    "select s.stream_id, s.version, s.started_at, s.recorded_at, s.summary, s.epoch, "
    "coalesce(c.bytes, t.bytes), (s.summary ->> 'tokens:main')::bigint, "
    "(s.summary #>> '{windows,main,limit}')::integer "
    "from backstory.streams s "
    "left join backstory.contents c on c.stream_id = s.stream_id "
    "and c.version = (s.summary #>> '{labels,title,version}')::integer "
    "and c.part = (s.summary #>> '{labels,title,part}')::integer "
    "left join backstory.contents t on t.stream_id = c.stream_id "
    "and t.version = c.twin_version and t.part = c.twin_part "
    "where s.kind = 'session' "
    "and (%(project)s::text is null or s.summary #>> '{labels,project}' = %(project)s) "
    "and (%(status)s::text is null or coalesce(s.summary #>> '{labels,status}', 'open') = %(status)s) "
    "and (%(tag)s::text is null or s.summary #> '{labels,tags}' ? %(tag)s) "
    "and (%(id)s::uuid is null or s.stream_id = %(id)s) "
    "order by s.recorded_at desc limit %(limit)s"
)
