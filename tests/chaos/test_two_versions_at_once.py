"""A version writes while the database is upgraded to a newer one, and goes on beside it."""

import subprocess
import sys
from functools import partial
from uuid import UUID, uuid4

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.schema import migrate as schema
from tests.chaos.form import WHOLE, form
from tests.chaos.trial import Trial, writing_at
from tests.crash.writing import Writing
from tests.schema.newer_version import newer as newer

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


class Program:
    """A process, as Writing wants one."""

    def __init__(self, command):
        self._process = subprocess.Popen(command)

    def is_alive(self):
        return self._process.poll() is None

    def kill(self):
        self._process.kill()

    def join(self, timeout=None):
        self._process.wait(timeout)

    @property
    def exitcode(self):
        return self._process.returncode

    def close(self):
        self._process.wait()


def test_old_writers_go_on_through_the_upgrade_and_beside_new_ones(server, newer, tmp_path, report):
    if not WHOLE:
        pytest.skip("is run by make chaos; tests/schema has the upgrade itself")
    name = f"older_{uuid4().hex[:8]}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    url = server.url(database=name)
    with ContextStore.open(url) as store:
        ids = [str(store.start().id) for _ in range(2)]

    def upgrade():
        with newer():
            schema.upgrade(url)

    def begin_old(*, session, notes, stop, begin):
        command = [sys.executable, "-m", "tests.crash.writer", url, str(session), notes, str(begin), stop]
        return Writing(Program(command), notes, stop)

    class Known:
        """A session that no store has opened yet."""

        def __init__(self, id):
            self.id = UUID(id)

    rolling = Trial(
        "two versions at once", tmp_path, None, begin_old, sessions=[Known(id) for id in ids], writers=4
    )
    try:
        rolling.round(upgrade)
        with newer(), ContextStore.open(url, migrate=False) as store:
            rolling.store = store
            opened = {known: store.session(known.id) for known in rolling.sessions}
            for writer in rolling.writers:
                writer.session = opened[writer.session]
            rolling.sessions = list(opened.values())
            for _ in range(2):
                rolling.add_writer(writing_at(url))
            for _ in range(form(1, 3)):
                rolling.round(lambda: None)
            for writer in rolling.writers[:4]:
                rolling.round(partial(writer.kill, writing_at(url)), whom=writer)
            rolling.get_on()
            report(rolling.finish())
    finally:
        rolling.dismiss()
