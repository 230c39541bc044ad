"""A database is upgraded while writers write. Nobody is refused, nobody waits for long, and afterwards everything is as
if it had been written by the newer code. The newer version is made up here: a table, a column, an index, a backfill and
a function that writes to them."""

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest

from backstory.application.operations.administration import database_status
from backstory.application.store import ContextStore
from backstory.domain.errors import SchemaMismatch
from backstory.domain.log.references import digest
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.schema import migrate as schema
from backstory.infrastructure.schema.protection import Gaps
from tests.conftest import create_database
from tests.schema.newer_version import MISSING, Newer, newer as newer
from tests.verify.rich_session import write_fork, write_session
from tests.waiting import until

WRITERS = 4
WAITING = "select count(*) from pg_locks where not granted and relation = 'backstory.items'::regclass"
SALT = b"0123456789abcdef"


@pytest.fixture
def older(server: str) -> str:
    """A database of this version, with sessions."""
    url = create_database(server)
    with ContextStore.open(url) as store:
        write_fork(write_session(store))
        store.start(limit=100_000).message("one")
        store.start().message("two")
    return url


def test_a_schema_is_upgraded_among_writers(older: str, newer: Newer) -> None:
    streams = _sessions(older)
    assert len(streams) >= 3
    with newer(), _Writing(older, streams) as writing:
        until(lambda: writing.written >= WRITERS)
        upgraded = schema.upgrade(older)
        after = writing.written
        until(lambda: writing.written >= after + WRITERS)
    assert writing.refused == []
    assert upgraded == (("0002_versions",), True, Gaps())
    with psycopg.connect(older) as connection:
        assert connection.execute(MISSING).fetchone() == (0,)
    with newer(), ContextStore.open(older, migrate=False) as store:
        assert store.verify_all().require().ok
        assert store.check_projections().require().ok
        for stream in streams:
            store.session(stream).message("by the newer code")
        assert store.verify_all().ok


def test_a_reader_who_stays_long_holds_up_the_upgrade_and_no_writer(older: str, newer: Newer) -> None:
    """A dump, or a verification: whoever reads a table keeps it from being altered, and those who come later would
    queue up behind the one who wants to."""
    with newer(), psycopg.connect(older) as reader, _Writing(older, _sessions(older)) as writing:
        reader.execute("select count(*) from backstory.items").fetchone()
        with ThreadPoolExecutor(1) as threads:
            upgrading = threads.submit(schema.upgrade, older)
            with psycopg.connect(older, autocommit=True) as connection:
                until(lambda: connection.execute(WAITING).fetchone() != (0,))
            before = writing.written
            until(lambda: writing.written >= before + 3 * WRITERS)
            assert not upgrading.done()
            reader.rollback()
            assert upgrading.result().replaced_objects
    assert writing.refused == []
    with newer(), ContextStore.open(older, migrate=False) as store:
        assert store.verify_all().require().ok


def test_an_interrupted_upgrade_is_finished_by_the_next(
    older: str, newer: Newer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise InterruptedError

    with newer():
        with monkeypatch.context() as patched:
            patched.setattr(schema, "backfill", fail)
            with pytest.raises(InterruptedError):
                schema.upgrade(older)
        with psycopg.connect(older) as connection:
            assert not schema.status(connection).serves
        with pytest.raises(SchemaMismatch, match="backstory db upgrade"):
            ContextStore.open(older, migrate=False)
        assert schema.upgrade(older) == ((), True, Gaps())
    with psycopg.connect(older) as connection:
        assert connection.execute(MISSING).fetchone() == (0,)


def test_an_index_that_was_left_half_built_is_built_again(older: str, newer: Newer) -> None:
    valid = "select indisvalid from pg_index where indexrelid = 'backstory.versions_twice'::regclass"
    with newer(), psycopg.connect(older, autocommit=True) as connection:
        schema.upgrade(older)
        connection.execute(
            "update pg_index set indisvalid = false where indexrelid = 'backstory.versions_twice'::regclass"
        )
        connection.execute("delete from backstory.schema_migrations where number in (0, -2)")
        schema.upgrade(older)
        assert connection.execute(valid).fetchone() == (True,)


def test_newer_code_refuses_an_older_schema_unless_it_may_upgrade(older: str, newer: Newer) -> None:
    with newer():
        with pytest.raises(SchemaMismatch, match="backstory db upgrade"):
            ContextStore.open(older, migrate=False)
        found = database_status(older)
        assert (found.migration, found.newest_migration) == (1, 2)
        assert (found.schema_current, found.schema_serves) == (False, False)
        assert found.protection is not None
        assert found.protection.by_triggers
        with ContextStore.open(older) as store:
            assert store.verify_all().ok


OLDER_CODE = """
import sys
from backstory.application.store import ContextStore
with ContextStore.open(sys.argv[1], migrate=False) as store:
    sessions = [store.start(title="by the older code"), *(store.session(id) for id in sys.argv[2:])]
    print(sessions[0].id, flush=True)
    rounds = 0
    for line in sys.stdin:
        for session in sessions:
            session.message("from the older code", importance=0.9)
            with session.atomic() as tx:
                tx.message("two")
                tx.decide("together")
            checkpoint = session.message("kept")
            session.message("left behind")
            session.backtrack(checkpoint, "as before")
        fork = sessions[0].fork()
        fork.message("in its fork")
        assert [one.verify().problem for one in (*sessions, fork)] == [None] * (len(sessions) + 1)
        rounds += 1
        print(rounds, flush=True)
"""


def test_the_older_code_goes_on_beside_the_newer(embedded_server: str, newer: Newer) -> None:
    """A process of this version before, during and after the upgrade, and started anew after it."""
    url = create_database(embedded_server)
    with ContextStore.open(url) as store:
        opened = str(store.start().id)
    older = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", OLDER_CODE, url, opened],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert older.stdin is not None
    assert older.stdout is not None
    try:
        stream = UUID(older.stdout.readline().strip())
        for number in range(1, 4):
            older.stdin.write("go\n")
            older.stdin.flush()
            if number == 2:
                with newer():
                    schema.upgrade(url)
            assert older.stdout.readline().strip() == str(number)
            if number >= 2:
                with newer(), ContextStore.open(url, migrate=False) as store:
                    store.session(stream).refresh().message("from the newer code")
    finally:
        older.stdin.close()
        older.wait(60)
        older.stdout.close()
    assert older.returncode == 0
    with ContextStore.open(url) as store:
        store.start().message("from code that was started anew")
        assert store.verify_all().require().ok
        assert store.check_projections().require().ok
    with psycopg.connect(url) as connection:
        assert connection.execute(MISSING).fetchone() == (0,)


class _Writing:
    """Writers that go on until the block ends, each call committed by itself."""

    def __init__(self, url: str, streams: list[UUID]) -> None:
        self.written = 0
        self.refused: list[str] = []
        self._url = url
        self._streams = streams
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(seed,)) for seed in range(WRITERS)]

    def __enter__(self) -> "_Writing":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join()

    def _write(self, seed: int) -> None:
        with psycopg.connect(self._url, autocommit=True, prepare_threshold=0) as connection:
            number = seed
            while not self._done.is_set():
                number += 1
                stream = self._streams[number % len(self._streams)]
                try:
                    connection.execute(
                        query("append"),
                        NOTHING | {"stream": stream} | (_message() if number % 3 else _notes()),
                    )
                    self.written += 1
                except psycopg.Error as error:
                    self.refused.append(f"{error.sqlstate}: {error}")


NOTHING = dict.fromkeys(
    (
        *("contents", "bytes", "expected", "recorded", "epoch", "items", "since"),
        *("key", "fingerprint", "kind", "origin_chain", "base"),
    )
)


def _message() -> dict[str, object]:
    """A message in main, with one content."""
    brings = {"type": "message", "tokens": 3, "importance": 0.7, "tier": "WARM"}
    sealed = digest(SALT, "text/plain", b"hello")
    return {
        "events": json.dumps(
            [{"type": "message.added", "schema": 1, "effects": json.dumps({"brings": brings})}]
        ),
        "payloads": [b'{"role":"user","parts":[{"content":{"sha256":"%s","size":5}}]}' % sealed.encode()],
        "contents": json.dumps([{"event": 1, "part": 0, "salt": SALT.hex()}]),
        "bytes": [b"hello"],
    }


def _notes() -> dict[str, object]:
    """Several events at once."""
    brings = [
        {"type": "note", "tokens": 5, "importance": importance, "tier": tier}
        for importance, tier in ((0.9, "HOT"), (0.5, "WARM"))
    ]
    return {
        "events": json.dumps(
            [{"type": "x:noted", "schema": 1, "effects": json.dumps({"brings": one})} for one in brings]
        ),
        "payloads": [b"{}", b"{}"],
    }


def _sessions(url: str) -> list[UUID]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select stream_id from backstory.streams where summary #>> '{labels,status}' = 'open' order by started_at"
        ).fetchall()
    return [row[0] for row in rows]
