"""Every released schema is upgraded while writers write, by the calls that the released code makes. Nobody is refused,
nobody waits for long, and afterwards everything is as if it had been written today."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from backstory.application.operations.administration import database_status
from backstory.application.store import ContextStore
from backstory.domain.errors import SchemaMismatch
from backstory.domain.log.references import digest
from backstory.infrastructure.schema import migrate as schema
from tests.conftest import create_database
from tests.waiting import until

RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))
ROOT = Path(__file__).parents[2]
FIRST_RELEASE = "d57d393"
WRITERS = 4

# As the first release says it: a message in main, with one content; then several events at once.
MESSAGE = """select backstory.append(
    %s, null, null, null, null, null, null, null, 'message.added', 1::int2, null, null, null,
    '{"brings":{"type":"message","tokens":3,"importance":0.7,"tier":"WARM"}}', %s,
    0::int2, null, %s, %s,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null)"""
NOTES = """select backstory.append(
    %s, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    array['x:noted', 'x:noted'], array[1, 1]::int2[], array[null, null]::timestamptz[], array[null, null]::text[],
    array[null, null]::int4[],
    array['{"brings":{"type":"note","tokens":5,"importance":0.9,"tier":"HOT"}}',
          '{"brings":{"type":"note","tokens":5,"importance":0.5,"tier":"WARM"}}'],
    array['{}', '{}']::bytea[], null, null, null, null, null, null, null)"""


@pytest.fixture(params=RELEASED, ids=lambda file: file.stem)
def released(request: pytest.FixtureRequest, server: str) -> str:
    """A database as a release left it."""
    url = create_database(server)
    load(url, request.param)
    return url


def load(url: str, file: Path) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set check_function_bodies = off")
        connection.execute(file.read_bytes())


def test_a_released_schema_is_upgraded_among_writers(released: str) -> None:
    streams = _sessions(released)
    assert len(streams) >= 3
    with _Writing(released, streams) as writing:
        until(lambda: writing.written >= WRITERS)
        upgraded = schema.upgrade(released)
        after = writing.written
        until(lambda: writing.written >= after + WRITERS)
    assert writing.refused == []
    assert upgraded.replaced_objects
    with ContextStore.open(released, migrate=False) as store:
        assert store.verify_all().require().ok
        # Due times are among what is compared: those of items from before, too.
        assert store.check_projections().require().ok
        assert store.rebuild_projections().changed == ()
        for stream in streams:
            session = store.session(stream)
            if session.state.status == "open":
                session.message("by the new code")
        assert store.verify_all().ok


def test_a_reader_who_stays_long_holds_up_the_upgrade_and_no_writer(released: str) -> None:
    """A dump, or a verification: whoever reads a table keeps it from being altered, and those who come later would
    queue up behind the one who wants to."""
    streams = _sessions(released)
    with psycopg.connect(released) as reader, _Writing(released, streams) as writing:
        reader.execute("select count(*) from backstory.items").fetchone()
        with ThreadPoolExecutor(1) as threads:
            upgrading = threads.submit(schema.upgrade, released)
            with psycopg.connect(released, autocommit=True) as connection:
                until(lambda: connection.execute(WAITING).fetchone() != (0,))
            before = writing.written
            until(lambda: writing.written >= before + 3 * WRITERS)
            assert not upgrading.done()
            reader.rollback()
            assert upgrading.result().replaced_objects
    assert writing.refused == []
    with ContextStore.open(released, migrate=False) as store:
        assert store.verify_all().require().ok


WAITING = "select count(*) from pg_locks where not granted and relation = 'backstory.items'::regclass"


def test_an_interrupted_upgrade_is_finished_by_the_next(
    released: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise InterruptedError

    with monkeypatch.context() as patched:
        patched.setattr(schema, "backfill", fail)
        with pytest.raises(InterruptedError):
            schema.upgrade(released)
    with psycopg.connect(released) as connection:
        assert not schema.status(connection).serves
    with pytest.raises(SchemaMismatch, match="backstory db upgrade"):
        ContextStore.open(released, migrate=False)
    assert schema.upgrade(released).replaced_objects
    with ContextStore.open(released, migrate=False) as store:
        assert store.check_projections().require().ok


def test_an_index_that_was_left_half_built_is_built_again(released: str) -> None:
    schema.upgrade(released)
    with psycopg.connect(released, autocommit=True) as connection:
        connection.execute(
            "update pg_index set indisvalid = false where indexrelid = 'backstory.items_cool'::regclass"
        )
        connection.execute("update backstory.schema_migrations set checksum = 'older' where number = 0")
        connection.execute("delete from backstory.schema_migrations where number = -2")
        schema.upgrade(released)
        valid = "select indisvalid from pg_index where indexrelid = 'backstory.items_cool'::regclass"
        assert connection.execute(valid).fetchone() == (True,)


def test_new_code_refuses_an_older_schema_unless_it_may_upgrade(released: str) -> None:
    with pytest.raises(SchemaMismatch, match="backstory db upgrade"):
        ContextStore.open(released, migrate=False)
    found = database_status(released)
    assert (found.schema_current, found.schema_serves) == (False, False)
    assert found.protection is not None
    assert found.protection.by_triggers, "by those of the tables that it has"
    with ContextStore.open(released) as store:
        assert store.verify_all().ok


OLD_CODE = """
import sys
sys.path.insert(0, sys.argv[1])
import backstory
from backstory.application.store import ContextStore
from backstory.domain.errors import BackstoryError
assert backstory.__file__.startswith(sys.argv[1]), backstory.__file__
with ContextStore.open(sys.argv[2], migrate=False) as store:
    sessions = [store.start(title="by the release"), *(store.session(id) for id in sys.argv[3:])]
    print(sessions[0].id, flush=True)
    rounds = 0
    for line in sys.stdin:
        for session in sessions:
            session.message("from the release", importance=0.9)
            with session.atomic() as tx:
                tx.message("two")
                tx.decide("together")
            session.touch(session.message("touched"))
            checkpoint = session.checkpoint("here")
            session.message("left behind")
            session.backtrack(checkpoint, "as before")
            assert session.state.version == session.version
        fork = sessions[0].fork()
        fork.message("in its fork")
        assert [one.verify().problem for one in (*sessions, fork)] == [None] * (len(sessions) + 1)
        rounds += 1
        print(rounds, flush=True)
"""


def test_the_released_code_goes_on_beside_the_new(embedded_server: str, tmp_path: Path) -> None:
    """A process of the release, from its own source, before, during and after the upgrade."""
    url = create_database(embedded_server)
    load(url, RELEASED[0])
    package = _source_of(FIRST_RELEASE, tmp_path)
    opened = [str(id) for id in _sessions(url)[:1]]
    old = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", OLD_CODE, str(package), url, *opened],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert old.stdin is not None
    assert old.stdout is not None
    try:
        stream = UUID(old.stdout.readline().strip())
        for number in range(1, 4):
            old.stdin.write("go\n")
            old.stdin.flush()
            if number == 2:
                schema.upgrade(url)
            assert old.stdout.readline().strip() == str(number)
            if number >= 2:
                with ContextStore.open(url, migrate=False) as store:
                    store.session(stream).refresh().message("from the new code")
    finally:
        old.stdin.close()
        old.wait(60)
        old.stdout.close()
    assert old.returncode == 0
    with ContextStore.open(url, migrate=False) as store:
        assert store.verify_all().require().ok
        assert store.check_projections().require().ok
    refused = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OLD_CODE, str(package), url],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert "SchemaMismatch" in refused.stderr, "it does not know this schema, and says so when it is started"


def _source_of(commit: str, folder: Path) -> Path:
    """The package as it was, its folders linked together as they are in the wheel."""
    found = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"the release's commit {commit} is not in this clone")
    source, package = folder / "source", folder / "package" / "backstory"
    source.mkdir()
    subprocess.run(["tar", "x", "-C", source], input=found.stdout, check=True)
    package.mkdir(parents=True)
    for file in (source / "application").iterdir():
        (package / file.name).symlink_to(file)
    for layer in ("domain", "projections", "infrastructure", "interfaces"):
        (package / layer).symlink_to(source / layer)
    return package.parent


class _Writing:
    """Writers that go on until the block ends, each call committed by itself as the release does it."""

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
                    if number % 3:
                        connection.execute(MESSAGE, (stream, _payload(), SALT, b"hello"))
                    else:
                        connection.execute(NOTES, (stream,))
                    self.written += 1
                except psycopg.Error as error:
                    if error.sqlstate != "BS006":  # The session has ended, as it should be.
                        self.refused.append(f"{error.sqlstate}: {error}")


SALT = b"0123456789abcdef"


def _payload() -> bytes:
    sealed = digest(SALT, "text/plain", b"hello")
    return b'{"role":"user","parts":[{"content":{"sha256":"%s","size":5}}]}' % sealed.encode()


def _sessions(url: str) -> list[UUID]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select stream_id from backstory.streams where summary #>> '{labels,status}' = 'open' order by started_at"
        ).fetchall()
    return [row[0] for row in rows]
