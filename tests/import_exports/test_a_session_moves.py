"""A session that was exported goes on elsewhere as if it had always been there."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from backstory import ContextStore
from backstory.application.session import Session
from backstory.application.transfer import importer, stream_lines
from backstory.infrastructure.postgres.queries import query
from tests.verify.rich_session import LONG, write_fork, write_session


@pytest.fixture(scope="module")
def family(store: ContextStore) -> tuple[Session, Session]:
    session = write_session(store)
    session.context(8_000)
    return session, write_fork(session)


@pytest.fixture
def exported(store: ContextStore, family: tuple[Session, Session], tmp_path: Path) -> Path:
    store.export(family[1].id, tmp_path / "family.jsonl")
    return tmp_path / "family.jsonl"


@pytest.fixture
def elsewhere(new_database: Callable[[], str]) -> Iterator[ContextStore]:
    with ContextStore.open(new_database()) as other:
        yield other


def test_it_is_the_same_there(
    family: tuple[Session, Session], exported: Path, elsewhere: ContextStore, tmp_path: Path
) -> None:
    done = elsewhere.import_file(exported)
    assert [one.session for one in done] == [session.id for session in family]
    assert [one.title for one in done] == ["Richer", "Fork"]
    assert all(one.already_there == 0 and one.lines > 10 for one in done)
    assert elsewhere.verify_all().problems == ()
    for here in family:
        there = elsewhere.session(here.id)
        assert [there.at(v) for v in range(1, here.version + 1)] == [
            here.at(v) for v in range(1, here.version + 1)
        ]
        assert there.verify().chain == here.verify().chain
        assert (there.items.list(), there.checkpoints.list()) == (here.items.list(), here.checkpoints.list())
        assert [event.recorded_at for event in there.events()] == [
            event.recorded_at for event in here.events()
        ]
    again = tmp_path / "again.jsonl"
    elsewhere.export(family[1].id, again)
    assert again.read_bytes() == exported.read_bytes()


def test_a_context_is_made_again_there(
    family: tuple[Session, Session], exported: Path, elsewhere: ContextStore
) -> None:
    elsewhere.import_file(exported)
    here = family[0]
    version = next(event.version for event in here.events(types=["context.assembled"]))
    there = elsewhere.session(here.id).reproduce(version)
    assert there.ok
    assert there.found == here.reproduce(version).found


def test_a_call_from_before_the_move_is_still_known(
    family: tuple[Session, Session], exported: Path, elsewhere: ContextStore
) -> None:
    elsewhere.import_file(exported)
    there = elsewhere.session(family[0].id)
    newest = there.version
    assert there.once("first").message(LONG) == family[0].once("first").message(LONG)
    assert there.version == newest


def test_it_goes_on_there(family: tuple[Session, Session], exported: Path, elsewhere: ContextStore) -> None:
    elsewhere.import_file(exported)
    there = elsewhere.session(family[1].id)
    there.message(LONG)
    there.backtrack(16, "into what it began in")
    there.fork().message("a fork of the fork")
    assert elsewhere.verify_all().problems == ()
    # What went on is still what was imported.
    assert all(one.already_there for one in elsewhere.import_file(exported))


def test_the_feed_tells_of_it(exported: Path, elsewhere: ContextStore) -> None:
    elsewhere.import_file(exported)
    rows = elsewhere._runtime.database.read(
        lambda c: c.execute("select stream_id, version from backstory.events order by position").fetchall()
    )
    assert rows == sorted(rows, key=lambda row: row[0])
    assert len(rows) == len(set(rows)) > 50


def test_a_connection_that_is_lost_on_the_way(
    exported: Path, elsewhere: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction is gone with it, and is done again."""
    monkeypatch.setattr(stream_lines, "EVENTS_A_BATCH", 10)
    lost = []
    send = importer._StreamImport._send

    def send_and_lose(self, connection, call):
        send(self, connection, call)
        if not lost and call.text == query("import_events") and call.parameters["first"] > 10:
            lost.append(connection.info.backend_pid)
            with psycopg.connect(elsewhere._runtime.database.url, autocommit=True) as other:
                other.execute("select pg_terminate_backend(%s, 10000)", (lost[0],))

    monkeypatch.setattr(importer._StreamImport, "_send", send_and_lose)
    elsewhere.import_file(exported)
    assert lost
    assert elsewhere.verify_all().problems == ()
    assert all(one.already_there for one in elsewhere.import_file(exported))


def test_an_import_that_was_interrupted_goes_on(
    family: tuple[Session, Session], exported: Path, elsewhere: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was whole stays, of the rest there is nothing, and the next import adds it."""
    monkeypatch.setattr(stream_lines, "EVENTS_A_BATCH", 5)
    send = importer._StreamImport._send

    def interrupted(self, connection, call):
        send(self, connection, call)
        if self._stream.id == family[1].id:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(importer._StreamImport, "_send", interrupted)
        with pytest.raises(KeyboardInterrupt):
            elsewhere.import_file(exported)
    assert [one.id for one in elsewhere.sessions()] == [family[0].id]
    assert elsewhere.verify_all().problems == ()
    done = elsewhere.import_file(exported)
    assert [bool(one.already_there) for one in done] == [True, False]
    assert elsewhere.verify_all().problems == ()


def test_two_at_once(exported: Path, elsewhere: ContextStore) -> None:
    done: list[bool] = []
    begin = threading.Barrier(2)

    def run() -> None:
        begin.wait()
        done.extend(bool(one.already_there) for one in elsewhere.import_file(exported))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False, False, True, True]
    assert elsewhere.verify_all().problems == ()
