"""Whatever is done by hand to a read model, `check` names it and `rebuild` puts it right, from the log alone."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from backstory.application.store import ContextStore
from tests.blocking import open_blocking
from tests.verify.rich_session import write_fork, write_session

ALTERED = {
    "a value of an item": (
        "update backstory.items set tokens = tokens + 1 where stream_id = %s and item = 5",
        "items.tokens, item 5",
    ),
    "a due time": (
        "update backstory.items set cools_from = 7 where stream_id = %s and item = 5",
        "items.cools_from, item 5",
    ),
    "an item that is gone": (
        "delete from backstory.items where stream_id = %s and item = 5",
        "items, item 5",
    ),
    "an item that never was": (
        "insert into backstory.items select stream_id, brought_at, touched_at, importance, 9999, changed, tokens, "
        "accesses, private, tier, type, windows, null, null, null, null, null, origin, trust, quarantined, flags "
        "from backstory.items where stream_id = %s and item = 5",
        "items, item 9999",
    ),
    "a checkpoint's name": (
        "update backstory.checkpoints set name = 'another' where stream_id = %s",
        "checkpoints",
    ),
    "all checkpoints": ("delete from backstory.checkpoints where stream_id = %s", "checkpoints"),
    "a branch_point": (
        "update backstory.branch_points set resumed_version = resumed_version - 1 where stream_id = %s",
        "branch_points",
    ),
    "all branch_points": ("delete from backstory.branch_points where stream_id = %s", "branch_points"),
    "a tally": (
        "update backstory.streams set summary = jsonb_set(summary, '{tokens:main}', '1') where stream_id = %s",
        "streams.summary, tokens:main",
    ),
    "a label": (
        "update backstory.streams set summary = jsonb_set(summary, '{labels,status}', '\"ended\"') "
        "where stream_id = %s",
        "streams.summary, labels",
    ),
    "the epoch": ("update backstory.streams set epoch = epoch + 1 where stream_id = %s", "streams.epoch"),
    "a summary of another shape": (
        "update backstory.streams set summary = '[]' where stream_id = %s",
        "streams.summary",
    ),
}


@pytest.fixture(scope="module")
def store(module_database: str) -> Iterator[ContextStore]:
    with ContextStore.open(module_database) as store:
        yield store


@pytest.fixture(scope="module")
def connection(module_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def sessions(store: ContextStore) -> list[Any]:
    session = write_session(store)
    return [session, write_fork(session)]


@pytest.mark.parametrize("what", ALTERED)
@pytest.mark.parametrize("which", ["session", "fork"])
def test_one_alteration(
    store: ContextStore, connection: psycopg.Connection, sessions: list[Any], what: str, which: str
) -> None:
    session = sessions[which == "fork"]
    statement, where = ALTERED[what]
    before = read_models(connection, session.id)
    connection.execute(statement.encode(), (session.id,))
    assert read_models(connection, session.id) != before
    checked = store.check_projections()
    assert [found.session for found in checked.wrong] == [session.id]
    assert any(problem.where.startswith(where) for problem in checked.wrong[0].differences)
    assert not checked.ok
    rebuilt = store.rebuild_projections([session.id])
    assert [found.session for found in rebuilt.changed] == [session.id]
    assert any(problem.where.startswith(where) for problem in rebuilt.changed[0].differences)
    assert rebuilt.changed[0].differing == checked.wrong[0].differing
    assert read_models(connection, session.id) == before
    assert session.verify().problem is None


def test_nothing_is_changed_where_nothing_differs(
    store: ContextStore, connection: psycopg.Connection, sessions: list[Any]
) -> None:
    written = "select xmin::text, ctid::text from backstory.items order by stream_id, item"
    before = connection.execute(written).fetchall()
    rebuilt = store.rebuild_projections()
    assert (rebuilt.changed, rebuilt.damaged, rebuilt.busy, rebuilt.orphans) == ((), (), (), ())
    assert rebuilt.sessions == 2
    assert rebuilt.events == connection.execute("select count(*) from backstory.events").fetchone()[0]  # type: ignore[index]
    assert connection.execute(written).fetchall() == before


def test_everything_lost(store: ContextStore, connection: psycopg.Connection, sessions: list[Any]) -> None:
    before = [read_models(connection, session.id) for session in sessions]
    connection.execute("truncate backstory.items, backstory.checkpoints, backstory.branch_points")
    connection.execute("update backstory.streams set summary = '{}'")
    assert {found.session for found in store.check_projections().wrong} == {one.id for one in sessions}
    assert len(store.rebuild_projections().changed) == 2
    assert [read_models(connection, session.id) for session in sessions] == before
    assert store.check_projections().require().ok
    assert store.verify_all().ok


def test_a_fork_whose_parents_branch_points_are_wrong(
    store: ContextStore, connection: psycopg.Connection, sessions: list[Any]
) -> None:
    parent, fork = sessions
    before = read_models(connection, fork.id)
    connection.execute("delete from backstory.branch_points where stream_id = %s", (parent.id,))
    connection.execute("delete from backstory.items where stream_id = %s", (fork.id,))
    store.rebuild_projections([fork.id])
    assert read_models(connection, fork.id) == before
    store.rebuild_projections([parent.id])
    assert store.verify_all().ok


def test_rows_that_belong_to_no_session(
    store: ContextStore, connection: psycopg.Connection, sessions: list[Any]
) -> None:
    connection.execute(
        "insert into backstory.checkpoints values ('00000000-0000-0000-0000-000000000001', 1, 'of nobody')"
    )
    checked = store.check_projections()
    assert [orphan.where.split(",")[0] for orphan in checked.orphans] == ["checkpoints"]
    assert store.check_projections([sessions[0].id]).ok
    assert store.rebuild_projections().orphans == checked.orphans
    assert store.check_projections().ok


@pytest.mark.parametrize("cut", ["newest", "middle"])
def test_a_damaged_log_is_not_rebuilt_from(
    store: ContextStore, connection: psycopg.Connection, cut: str
) -> None:
    session = store.start()
    for number in range(5):
        session.message(f"message {number}")
    before = read_models(connection, session.id)
    version = session.version - (0 if cut == "newest" else 2)
    connection.execute("alter table backstory.events disable trigger append_only")
    try:
        row = connection.execute(
            "delete from backstory.events where stream_id = %s and version = %s returning *",
            (session.id, version),
        ).fetchone()
        assert row is not None
        rebuilt = store.rebuild_projections([session.id])
        assert [found.session for found in rebuilt.damaged] == [session.id]
        assert read_models(connection, session.id) == before
        with pytest.raises(Exception, match="was not rebuilt"):
            rebuilt.require()
        assert store.check_projections([session.id]).wrong[0].damaged is not None
    finally:
        places = ", ".join(["%s"] * len(row or ()))
        connection.execute(f"insert into backstory.events values ({places})".encode(), row)
        connection.execute("alter table backstory.events enable always trigger append_only")
    assert session.verify().ok


def read_models(connection: psycopg.Connection, stream: Any) -> list[Any]:
    """Every row of a session's read models."""
    queries = (
        "select * from backstory.items where stream_id = %s order by item",
        "select * from backstory.checkpoints where stream_id = %s order by version",
        "select * from backstory.branch_points where stream_id = %s order by version",
        "select epoch, started_at, recorded_at, summary from backstory.streams where stream_id = %s",
    )
    return [connection.execute(query.encode(), (stream,)).fetchall() for query in queries]


def test_the_asynchronous_store_does_the_same(new_database: Callable[[], str]) -> None:
    with open_blocking(new_database()) as store:
        session = store.start()
        session.message("hello")
        assert store.check_projections([session.id]).ok
        assert store.rebuild_projections().events == 2
        inline = [one.name for one in store.projections() if one.kind == "inline"]
        assert inline == ["items", "checkpoints", "branch_points", "summaries"]
