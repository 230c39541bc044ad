"""A purge leaves a verified file and a tombstone, or it leaves everything as it was."""

import threading
from pathlib import Path

import psycopg
import pytest

from backstory import (
    ContextStore,
    ForksDepend,
    InvalidInput,
    SessionDiffers,
    SessionPurged,
    UnknownSession,
    VersionConflict,
    audit_export,
)
from backstory.infrastructure.postgres.locks import hold_stream
from tests.audit.altering import changed, closed, lines_of, rechained
from tests.waiting import until


def test_a_file_and_a_tombstone(store: ContextStore, tmp_path: Path) -> None:
    session = store.start(title="Old")
    session.message("hello")
    chain = session.verify().chain
    left = store.purge(session.id, tmp_path / "old.jsonl")
    assert (left.session, left.version, left.chain, left.file) == (
        session.id,
        2,
        chain,
        tmp_path / "old.jsonl",
    )
    assert audit_export(tmp_path / "old.jsonl").ok
    with pytest.raises(
        SessionPurged, match=rf"was purged on .* it had 2 versions, and its final chain was {chain}"
    ):
        store.session(session.id)
    for use in (lambda: session.message("more"), lambda: session.state, session.verify, session.fork):
        with pytest.raises(Exception, match="purged|no such stream|does not exist"):
            use()
    with pytest.raises(SessionPurged):
        store.purge(session.id, without_export=True)
    (back,) = store.import_file(tmp_path / "old.jsonl")
    assert back.title == "Old"
    assert store.session(back.session).verify().chain == chain


def test_only_what_was_purged_comes_back(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    session.message("hello")
    store.export(session.id, tmp_path / "early.jsonl")
    session.message("more")
    store.purge(session.id, tmp_path / "whole.jsonl")
    lines = lines_of(tmp_path / "whole.jsonl")
    place = next(place for place, line in enumerate(lines) if b'"event":3' in line)
    forged = [*lines[:place], changed(lines[place], cause=1), *lines[place + 1 :]]
    (tmp_path / "forged.jsonl").write_bytes(closed(rechained(forged)))
    for file in (tmp_path / "early.jsonl", tmp_path / "forged.jsonl"):
        with pytest.raises(SessionDiffers, match="was purged with 3 versions .* only that may come back"):
            store.import_file(file)
    store.import_file(tmp_path / "whole.jsonl")
    # It went, came back, went on, and went again.
    store.session(session.id).message("and more")
    assert store.purge(session.id, without_export=True).version == 4


def test_forks_are_named(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    fork = session.fork()
    with pytest.raises(ForksDepend, match=f"purge them first: {fork.id}"):
        store.purge(session.id, tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []
    store.purge(fork.id, tmp_path / "fork.jsonl")
    store.purge(session.id, tmp_path / "x.jsonl")
    # The fork's file brings back what it began in as well.
    store.import_file(tmp_path / "fork.jsonl")
    assert store.session(fork.id).verify().ok
    assert store.session(session.id).verify().ok


def test_what_is_written_meanwhile_stops_it(store: ContextStore, tmp_path: Path) -> None:
    session = store.start()
    with pytest.raises(VersionConflict):
        store.purge(session.id, tmp_path / "x.jsonl", progress=lambda done, total: session.message("wait"))
    assert session.state.message_count > 0
    assert list(tmp_path.iterdir()) == []


def test_a_fork_that_is_being_made_holds_it(store: ContextStore, url: str) -> None:
    """It began before the purge and commits after it has begun: the purge waits, sees it and is refused."""
    session = store.start()
    outcome: list[object] = []

    def purge() -> None:
        try:
            outcome.append(store.purge(session.id, without_export=True))
        except ForksDepend as refused:
            outcome.append(refused)

    thread = threading.Thread(target=purge)
    with psycopg.connect(url, autocommit=True) as watching, psycopg.connect(url) as forking:
        forking.execute("select backstory.hold_stream(%s)", (session.id,))
        # What a fork's append writes that a purge looks for.
        forking.execute(
            "insert into backstory.branch_points values (gen_random_uuid(), 2, %s, 1)", (session.id,)
        )
        thread.start()
        until(
            lambda: watching.execute(
                "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%%backstory.purge%%' "
                "and datname = current_database()"
            ).fetchone()
        )
        forking.commit()
        thread.join()
        assert isinstance(outcome[0], ForksDepend)
        watching.execute("delete from backstory.branch_points where resumed_stream = %s", (session.id,))
    assert session.version == 1


def test_a_fork_of_what_was_just_purged(store: ContextStore) -> None:
    session = store.start()
    state = store._runtime.reader.state(session.id)
    store.purge(session.id, without_export=True)
    with (
        pytest.raises(UnknownSession, match="does not exist"),
        store._runtime.database.connection() as connection,
        connection.transaction(),
    ):
        hold_stream(connection, state.stream)


@pytest.mark.parametrize(("export", "without"), [(None, False), ("x.jsonl", True)])
def test_a_file_or_a_word_that_there_is_none(
    store: ContextStore, tmp_path: Path, export: str | None, without: bool
) -> None:
    session = store.start()
    with pytest.raises(InvalidInput, match="export: must name a file, or"):
        store.purge(session.id, None if export is None else tmp_path / export, without_export=without)
    assert session.version == 1
