"""A database from before items had a due time gets the same ones that it would have had."""

from datetime import UTC, datetime, timedelta

import psycopg

from backstory.application.store import ContextStore
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.upgrade_steps import backfill, build_indexes

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)
DUE = "select stream_id, item, cools_from, warms_until from backstory.items order by 1, 2"


def test_older_items_are_due_when_new_ones_would_be(new_database):
    url = new_database()
    with ContextStore.open(url) as store:
        session, ended = store.start(), store.start()
        for one in (session, ended):
            for importance in (0.0, 0.3, 0.4, 0.5, 0.8, 1.0):
                one.occurred(NOON).save("code", "x", importance=importance)
            one.update_tiers(NOON + timedelta(hours=20))
            one.occurred(NOON + timedelta(hours=30)).touch(3, 5, 7)
        session.remove(4)
        ended.end()
    with psycopg.connect(url, autocommit=True) as connection:
        before = connection.execute(DUE).fetchall()
        connection.execute("alter table backstory.items drop column cools_from, drop column warms_until")
        migration = schema.migrations()[1]
        connection.execute(migration.text.encode())
        build_indexes(connection, migration.indexes)
        backfill(connection, migration.backfill)
        assert connection.execute(DUE).fetchall() == before
    due = {row[1]: row[2:] for row in before if row[0] == session.id}
    assert due[4] == (None, None)
    assert any(warms is not None for _, warms in due.values())
