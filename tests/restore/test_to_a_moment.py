"""A base backup and the archived log bring a database back as it was at a moment, as docs/how-to/back-up-and-restore.md
says."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from tests.conftest import DEBIAN_BINARIES, skip_or_fail
from tests.waiting import until

OPTIONS = "-c listen_addresses='' -c max_wal_size=128MB -c wal_keep_size=0"


class Server:
    """A Postgres of Debian's in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir()
        if os.geteuid() == 0:
            shutil.chown(home, "postgres", "postgres")
        self.data = home / "data"
        self.url = f"postgresql://postgres@/postgres?host={home}"

    def configure(self, **settings: str) -> None:
        with (self.data / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self) -> None:
        options = f"{OPTIONS} -c unix_socket_directories='{self.home}'"
        self._control("-l", self.home / "log", "-o", options, "start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def _control(self, *words: object) -> None:
        run("pg_ctl", "-D", self.data, "-w", *words)

    def asked(self, statement: str) -> object:
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement.encode()).fetchone()
        return None if row is None else row[0]


def run(program: str, *words: object) -> None:
    account = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    command = [str(DEBIAN_BINARIES / program), *map(str, words)]
    subprocess.run(command, check=True, capture_output=True, cwd="/", **account)


@pytest.fixture
def folder() -> Iterator[Path]:
    if not (DEBIAN_BINARIES / "pg_basebackup").exists():
        skip_or_fail("needs Debian's Postgres 15: apt-get install postgresql-15")
    folder = Path(tempfile.mkdtemp(prefix="backstory-backup-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def primary(folder: Path) -> Iterator[Server]:
    server = Server(folder / "primary")
    archive = server.home / "archive"
    run("initdb", "-D", server.data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C")
    run_as_owner = f"mkdir -p {archive} && test ! -f {archive}/%f && cp %p {archive}/%f"
    server.configure(archive_mode="on", archive_command=run_as_owner)
    server.start()
    yield server
    server.stop()


def test_the_record_is_as_it_was_then(folder: Path, primary: Server) -> None:
    with ContextStore.open(primary.url) as store:
        session = store.start(title="kept")
        session.message("before the backup")
        run("pg_basebackup", "-d", primary.url, "-D", primary.home / "base", "--checkpoint=fast")
        kept = session.message("after the backup")
        moment = primary.asked("select clock_timestamp()")
        chain = session.verify().chain
        # The accident.
        store.purge(session.id, without_export=True)
    segment = primary.asked("select pg_walfile_name(pg_current_wal_lsn())")
    primary.asked("select pg_switch_wal()")
    until(lambda: (primary.home / "archive" / str(segment)).exists())

    restored = Server(folder / "restored")
    shutil.copytree(primary.home / "base", restored.data)
    if os.geteuid() == 0:
        for path in (restored.data, *restored.data.rglob("*")):
            shutil.chown(path, "postgres", "postgres")
    restored.configure(
        restore_command=f"cp {primary.home / 'archive'}/%f %p",
        recovery_target_time=str(moment),
        recovery_target_action="promote",
        archive_mode="off",
    )
    (restored.data / "recovery.signal").touch()
    restored.start()
    try:
        until(lambda: not restored.asked("select pg_is_in_recovery()"))
        with ContextStore.open(restored.url) as store:
            found = store.session(session.id)
            assert (found.version, found.text(kept)) == (kept, "after the backup")
            assert found.verify().chain == chain
            assert store.verify_all().ok
            assert found.message("and on") == kept + 1
    finally:
        restored.stop()
