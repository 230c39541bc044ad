"""The whole database moved with Postgres' own tools: everything goes on working on the other server, the feed
included."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from backstory import ContextStore
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.binaries import find_binaries
from backstory.infrastructure.schema.protection import SERVICE_ROLE
from tests.conftest import create_database, skip_or_fail
from tests.verify.rich_session import LONG, write_fork, write_session


@pytest.fixture(scope="module")
def another_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("another")
    server = embedded.start_or_join(home)
    try:
        yield server.url(database="postgres")
    finally:
        embedded.stop(home)


def tool(name: str) -> Path:
    found = find_binaries().directory / name
    if not found.exists():
        skip_or_fail(f"needs {name}, which the embedded Postgres brings")
    return found


def test_everything_goes_on_there(
    new_database: Callable[[], str], another_server: str, tmp_path: Path
) -> None:
    here = new_database()
    with ContextStore.open(here) as store:
        session = write_session(store)
        fork = write_fork(session)
        last = fork.version
        context = fork.context(8_000)
        gone = store.start()
        store.purge(gone.id, without_export=True)
        seen = [(event.session, event.version) for event in store.feed()]
        reached = [event.position for event in store.feed()][10]
        store._runtime.database.read(
            lambda c: c.execute("select backstory.track('an index', %s)", (reached,))
        )
        checked = {one.session: one.chain for one in store.verify_all().sessions}
    there = create_database(another_server)
    dump = tmp_path / "backstory.dump"
    subprocess.run([tool("pg_dump"), "--format=custom", "--file", dump, here], check=True, timeout=120)
    with psycopg.connect(another_server, autocommit=True) as connection:
        # Roles belong to the server, not to the database.
        connection.execute(f"create role {SERVICE_ROLE}".encode())
    subprocess.run(
        [tool("pg_restore"), "--exit-on-error", "--no-owner", "--dbname", there, dump],
        check=True,
        timeout=120,
    )
    with ContextStore.open(there) as store:
        assert {one.session: one.chain for one in store.verify_all().require().sessions} == checked
        again = store.session(fork.id)
        assert again.reproduce(context.version).found == context.sha256
        assert again.once("the end").message("the end") == last
        assert [(event.session, event.version) for event in store.feed()] == seen
        rest = [(event.session, event.version) for event in store.feed(after=reached)]
        assert rest == seen[11:]
        newest = list(store.feed())[-1].position
        said = again.message(LONG)
        (new,) = store.feed(after=newest)
        assert (new.session, new.version) == (fork.id, said)
        assert new.position > newest
        with pytest.raises(Exception, match="was purged"):
            store.session(gone.id)
        with store._runtime.database.connection() as connection:
            assert connection.execute("select current_user").fetchone() == (SERVICE_ROLE,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("delete from backstory.events")
            row = connection.execute("select position from backstory.tracking").fetchone()
        assert row == (reached,)
        assert store.verify_all().ok
    with psycopg.connect(there) as connection, pytest.raises(psycopg.Error, match="is append-only"):
        connection.execute("delete from backstory.events")
