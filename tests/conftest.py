"""Real servers for all tests: the embedded Postgres, and a Debian one where the machine has it."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from hypothesis import settings

from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.schema import migrate as schema
from backstory.interfaces.client.opening import connect
from tests.blocking import open_blocking
from tests.properties import PROFILE
from tests.serving import served

settings.load_profile(PROFILE)

pytest_plugins = ["tests.over_http"]

DEBIAN_BINARIES = Path("/usr/lib/postgresql/15/bin")
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that a test run may need for its servers."""


def _memory_is_a_place_for_files() -> bool:
    """Whether the machine has a file system in memory, with room, in which programs may run."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    system = os.statvfs(MEMORY)
    return system.f_bavail * system.f_frsize > ROOM and not system.f_flag & os.ST_NOEXEC


if "TMPDIR" not in os.environ and _memory_is_a_place_for_files():
    # Making a database is making three hundred files: on a disk it takes ten times as long.
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def skip_or_fail(reason: str) -> None:
    """Skips where something is missing; in CI that is a failure, since CI is there to have it."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def embedded_server() -> Iterator[str]:
    """An embedded Postgres of this test run: the URL of its superuser."""
    with tempfile.TemporaryDirectory(prefix="backstory-") as home:
        server = embedded.start_or_join(Path(home))
        with psycopg.connect(server.url(database="postgres"), autocommit=True) as connection:
            # These databases live as long as the test run; the tests that kill a server have one of their own.
            connection.execute("alter system set fsync = off")
            connection.execute("alter system set full_page_writes = off")
            connection.execute("alter system set max_wal_size = '128MB'")
            connection.execute("select pg_reload_conf()")
        try:
            yield server.url(database="postgres")
        finally:
            # At once: an orderly end would first write everything that is deleted next.
            os.kill(server.pid, signal.SIGQUIT)
            embedded.stop(Path(home))


@pytest.fixture(scope="session")
def stopped_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data home of an embedded server with the schema that does not run. A copy of it takes a fraction of the
    time that initdb does."""
    home = tmp_path_factory.mktemp("stopped") / "home"
    schema.upgrade(embedded.start_or_join(home).url())
    embedded.stop(home)
    return home


@pytest.fixture(scope="session")
def debian_server() -> Iterator[str]:
    """A Debian Postgres 15 of this test run."""
    if not (DEBIAN_BINARIES / "initdb").exists():
        skip_or_fail("needs Debian's Postgres 15: apt-get install postgresql-15")
    home = Path(tempfile.mkdtemp(prefix="backstory-15-"))
    account = {}
    if os.geteuid() == 0:
        shutil.chown(home, "postgres", "postgres")
        account = {"user": "postgres", "group": "postgres"}
    run = {"check": True, "capture_output": True, "cwd": "/", **account}
    data = home / "data"
    subprocess.run(
        [
            DEBIAN_BINARIES / "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "--auth=trust",
            "-E",
            "UTF8",
            "--locale=C",
        ],
        **run,
    )
    options = (
        f"-c listen_addresses='' -c unix_socket_directories='{home}' -c max_connections=200 -c fsync=off "
        "-c max_wal_size=128MB"
    )
    control = [DEBIAN_BINARIES / "pg_ctl", "-D", data, "-w", "-l", home / "log"]
    subprocess.run([*control, "-o", options, "start"], **run)
    try:
        yield f"postgresql://postgres@/postgres?host={home}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)
        shutil.rmtree(home, ignore_errors=True)


def create_database(server: str, template: str | None = None) -> str:
    """A new database on a server: its URL."""
    name = f"test_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        # Copying files leaves nothing in the write-ahead log, which would have to be written as well.
        source = "" if template is None else f" template {template} strategy file_copy"
        connection.execute(f"create database {name}{source}".encode())
        # A commit that waits for the disk is most of a test's time. Tests that kill servers have one of their own.
        connection.execute(f"alter database {name} set synchronous_commit = off".encode())
    return server.replace("/postgres?", f"/{name}?")


def drop_database(server: str, url: str) -> None:
    """Removes a database, also from under those who have not left it."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"drop database {name_of(url)} with (force)".encode())


def name_of(url: str) -> str:
    """The name of the database at a URL that `create_database` gave."""
    return url.split("@/")[1].split("?")[0]


@pytest.fixture(scope="session")
def migrated_template(embedded_server: str) -> str:
    url = create_database(embedded_server)
    schema.upgrade(url)
    return name_of(url)


@pytest.fixture
def new_database(embedded_server: str, migrated_template: str) -> Iterator[Callable[[], str]]:
    """Makes databases of a test's own, with the schema."""
    made: list[str] = []

    def make() -> str:
        made.append(create_database(embedded_server, migrated_template))
        return made[-1]

    yield make
    for url in made:
        drop_database(embedded_server, url)


@pytest.fixture(scope="module")
def module_database(embedded_server: str, migrated_template: str) -> Iterator[str]:
    """A database that the tests of a module share, with the schema: its URL."""
    url = create_database(embedded_server, migrated_template)
    yield url
    drop_database(embedded_server, url)


@pytest.fixture
def database(new_database: Callable[[], str]) -> str:
    """A database of the test's own, with the schema: its URL."""
    return new_database()


@pytest.fixture
def own_store(database: str) -> Iterator[ContextStore]:
    """A store that is alone in its database."""
    with ContextStore.open(database) as store:
        yield store


@pytest.fixture(scope="session")
def url(embedded_server: str, migrated_template: str) -> str:
    """The database that tests share: sessions keep out of each other's way by their ids."""
    return create_database(embedded_server, migrated_template)


@pytest.fixture(scope="session")
def debian_url(debian_server: str) -> str:
    url = create_database(debian_server)
    schema.upgrade(url)
    return url


@pytest.fixture(scope="session")
def service(url: str) -> Iterator[str]:
    """A service over the shared database, on a socket: its address."""
    with ContextStore.open(url) as inner, served(inner) as address:
        yield address


@pytest.fixture(scope="session")
def any_store(request: pytest.FixtureRequest) -> Iterator[ContextStore]:
    """The store in each form that it has: the asynchronous one behind a face that waits, on an older server, and over
    HTTP. See `pytest_generate_tests`."""
    if request.param == "async":
        with open_blocking(request.getfixturevalue("url")) as store:
            yield store
        return
    if request.param == "http":
        with connect(request.getfixturevalue("service")) as store:
            yield store
        return
    name = "url" if request.param == "sync" else "debian_url"
    with ContextStore.open(request.getfixturevalue(name)) as store:
        yield store


@pytest.fixture(scope="session")
def store(request: pytest.FixtureRequest, url: str) -> Iterator[ContextStore]:
    """A synchronous store on the shared database; with --over-http that of a client."""
    if request.config.getoption("--over-http"):
        with connect(request.getfixturevalue("service")) as store:
            yield store
        return
    with ContextStore.open(url) as store:
        yield store
