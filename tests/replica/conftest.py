"""A primary of Debian's and a standby that really streams from it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from backstory.infrastructure.schema import migrate as schema
from tests.conftest import DEBIAN_BINARIES, create_database, name_of
from tests.waiting import until


@dataclass
class Follower:
    """A standby: its superuser's URL, and how to stop and start it."""

    home: Path
    url: str

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.home}'"
        self._control("-o", f"{options} -c max_connections=200 -c fsync=off -c max_wal_size=128MB", "start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments: str) -> None:
        command = [DEBIAN_BINARIES / "pg_ctl", "-D", self.home / "data", "-w", "-l", self.home / "log"]
        as_postgres([*command, *arguments])


def as_postgres(command: list[object]) -> None:
    account = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    subprocess.run([str(word) for word in command], check=True, capture_output=True, cwd="/", **account)


@pytest.fixture(scope="session")
def follower(debian_server: str) -> Iterator[Follower]:
    home = Path(tempfile.mkdtemp(prefix="backstory-standby-"))
    if os.geteuid() == 0:
        shutil.chown(home, "postgres", "postgres")
    source = debian_server.partition("host=")[2]
    backup = [DEBIAN_BINARIES / "pg_basebackup", "-h", source, "-U", "postgres", "-D", home / "data", "-R"]
    as_postgres([*backup, "--checkpoint=fast", "--wal-method=stream"])
    follower = Follower(home, f"postgresql://postgres@/postgres?host={home}")
    follower.start()
    try:
        yield follower
    finally:
        follower.stop()
        shutil.rmtree(home, ignore_errors=True)


@dataclass
class Pair:
    """A database on the primary, and the same one on the standby."""

    primary: str
    standby: str
    follower: Follower

    def on_standby(self, statement: str) -> object:
        with psycopg.connect(self.standby, autocommit=True) as connection:
            row = connection.execute(statement.encode()).fetchone()
        return None if row is None else row[0]

    def caught_up(self) -> None:
        with psycopg.connect(self.primary, autocommit=True) as connection:
            row = connection.execute("select pg_current_wal_insert_lsn()::text").fetchone()
        assert row is not None
        until(lambda: self.on_standby(f"select pg_last_wal_replay_lsn() >= '{row[0]}'::pg_lsn"))


@pytest.fixture(scope="session")
def replicated(debian_server: str, follower: Follower) -> Pair:
    primary = create_database(debian_server)
    schema.upgrade(primary)
    pair = Pair(primary, follower.url.replace("/postgres?", f"/{name_of(primary)}?"), follower)
    until(lambda: _answers(pair.standby))
    return pair


@pytest.fixture
def pair(replicated: Pair) -> Iterator[Pair]:
    """The two as a test finds them: the standby replays."""
    yield replicated
    replicated.on_standby("select pg_wal_replay_resume()")


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
