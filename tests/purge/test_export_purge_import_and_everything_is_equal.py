"""The law of moving: a session that was exported, purged and imported is the session that it was. Whatever happened in
it: backtracks, forks, erasures, compactions, contexts."""

import tempfile
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from backstory import Activity, ContextStore, ProjectionRunner, SessionPurged, audit_export
from backstory.application.session import Session
from backstory.domain.events import ContextAssembled
from tests.properties import examples
from tests.replay.histories import World, a_store, histories

ROWS = {
    "events": "select (to_jsonb(t) - 'position')::text from backstory.events t where stream_id = any (%s) order by 1",
    "contents": "select to_jsonb(t)::text from backstory.contents t where stream_id = any (%s) order by 1",
    "appends": "select to_jsonb(t)::text from backstory.appends t where stream_id = any (%s) order by 1",
    "streams": "select to_jsonb(t)::text from backstory.streams t where stream_id = any (%s) order by 1",
    "items": "select to_jsonb(t)::text from backstory.items t where stream_id = any (%s) order by 1",
    "branch_points": "select to_jsonb(t)::text from backstory.branch_points t where stream_id = any (%s) order by 1",
    "checkpoints": "select to_jsonb(t)::text from backstory.checkpoints t where stream_id = any (%s) order by 1",
}
ALWAYS = [
    *[("message", 0, 0, 2), ("message", 0, 5, 1), ("context", 0, 5, 2), ("checkpoint", 0, 1, 1)],
    *[("message", 0, 1, 0), ("backtrack", 0, 2, 1), ("fork", 0, 0, 1), ("context", 1, 7, 1)],
]
"""A checkpoint on a branch that is left, a fork, and contexts: what chance brings together too seldom."""
LEFT = "select stream_id from backstory.snapshots where stream_id = any (%s)"


@examples(2)
@given(history=histories(40))
def test_everything_is_equal(store: ContextStore, history: Any) -> None:
    empty = activity(store)
    world = World(a_store(store))
    world.tell([*ALWAYS, *history])
    sessions = [told.session for told in world.told]
    ids = [session.id for session in sessions]
    before = rows(store, ids)
    seen = [everything(session) for session in sessions]
    counted = activity(store)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.jsonl"
        store.export(ids, file)
        found = audit_export(file).require()
        assert found.events == len(before["events"])
        for session in reversed(sessions):
            left = store.purge(session.id, Path(folder) / f"{session.id}.jsonl")
            assert left.chain == session_chain(before, session.id)
        assert not any(rows(store, ids).values())
        assert read(store, LEFT, ids) == []
        assert activity(store) == empty
        with pytest.raises(SessionPurged):
            store.session(ids[0])
        # One by one, children first: each brings what it began in.
        other = a_store(store)
        for id in reversed(ids):
            other.import_file(Path(folder) / f"{id}.jsonl")
        assert all(one.already_there == one.lines for one in other.import_file(file))
    assert rows(store, ids) == before
    again = [other.session(id) for id in ids]
    assert [everything(session) for session in again] == seen
    assert activity(store) == counted
    for told, session in zip(world.told, again, strict=True):
        assert session.verify().problem is None
        for version, state in told.seen.items():
            assert session.at(version) == state
        if session.state.status == "open":
            session.message("and goes on")
            assert session.verify().problem is None


def everything(session: Session) -> Any:
    """What readers see of it."""
    contexts = [
        (event.version, session.reproduce(event.version))
        for event in session.events(types=[ContextAssembled.type])
    ]
    return (
        [session.at(version).digest() for version in range(1, session.version + 1)],
        [(version, made.ok, made.found, made.missing) for version, made in contexts],
        session.messages(),
        session.items.list(),
        session.decisions.list(),
        session.checkpoints.list(),
        session.views.current_context(),
        list(session.events()),
    )


def activity(store: ContextStore) -> list[Activity]:
    """What was done in all sessions, up to now."""
    ProjectionRunner(store).catch_up()
    return store.activity()


def rows(store: ContextStore, ids: list[UUID]) -> dict[str, list[Any]]:
    return {table: read(store, text, ids) for table, text in ROWS.items()}


def read(store: ContextStore, text: str, ids: list[UUID]) -> list[Any]:
    return store._runtime.database.read(lambda c: c.execute(text.encode(), (ids,)).fetchall())


def session_chain(rows: dict[str, list[Any]], id: UUID) -> str:
    (found,) = [row for (row,) in rows["streams"] if str(id) in row]
    return found.split('"chain": "\\\\x')[1].split('"')[0]


def test_the_rows_are_all_that_a_purge_takes(store: ContextStore) -> None:
    """Compared are all tables that know streams, but for what is derived, what says that one went, and what consumers
    of the feed keep for themselves; the activity is compared as it is read."""
    tables = read_names(store)
    kept_from_the_feed = {"activity_projects", "embeddings", "search_segments", "search_postings"}
    assert tables - ROWS.keys() <= {"snapshots", "tombstones", "set_aside", *kept_from_the_feed}


def read_names(store: ContextStore) -> set[str]:
    text = (
        "select c.table_name::text from information_schema.columns c join information_schema.tables t "
        "using (table_schema, table_name) where table_schema = 'backstory' and column_name = 'stream_id' "
        "and table_type = 'BASE TABLE'"
    )
    return {row[0] for row in store._runtime.database.read(lambda c: c.execute(text.encode()).fetchall())}
