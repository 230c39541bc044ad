"""The released version writes while the database is upgraded, and on beside the new one."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.schema import migrate as schema
from tests.chaos.form import WHOLE, form
from tests.chaos.trial import Trial, writing_at
from tests.crash.writing import Writing

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

RELEASED = "d57d393"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def released(tmp_path):
    """The environment of a process that has the released version of the package."""
    if not WHOLE:
        pytest.skip("is run by make chaos; tests/schema has the upgrade itself")
    archive = subprocess.run(["git", "archive", RELEASED], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip(f"the history is not here: {archive.stderr.decode().strip()}")
    source, package = tmp_path / "source", tmp_path / "path" / "backstory"
    source.mkdir()
    package.mkdir(parents=True)
    subprocess.run(["tar", "-x"], cwd=source, input=archive.stdout, check=True)
    for path in (source / "application").iterdir():
        (package / path.name).symlink_to(path)
    for name in ("domain", "projections", "infrastructure", "interfaces"):
        (package / name).symlink_to(source / name)
    return {**os.environ, "PYTHONPATH": f"{package.parent}:{ROOT}"}


class Program:
    """A process, as Writing wants one."""

    def __init__(self, command, environment):
        self._process = subprocess.Popen(command, env=environment)

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


def run(environment, code, *given):
    done = subprocess.run(
        [sys.executable, "-c", code, *given], env=environment, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
    return done.stdout.split()


BEGIN = """
import sys
import backstory.infrastructure.schema.migrate as schema
from backstory.application.store import ContextStore
schema.upgrade(sys.argv[1])
with ContextStore.open(sys.argv[1]) as store:
    print(schema.__file__, store.start().id, store.start().id)
"""


def test_old_writers_go_on_through_the_upgrade_and_beside_new_ones(server, released, tmp_path, report):
    name = f"released_{uuid4().hex[:8]}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    url = server.url(database=name)
    file, *ids = run(released, BEGIN, url)
    assert str(tmp_path) in file

    def begin_old(*, session, notes, stop, begin):
        command = [sys.executable, "-m", "tests.crash.writer", url, str(session), notes, str(begin), stop]
        return Writing(Program(command, released), notes, stop)

    class Known:
        """A session whose schema this version cannot open yet."""

        def __init__(self, id):
            self.id = UUID(id)

    rolling = Trial(
        "two versions at once", tmp_path, None, begin_old, sessions=[Known(id) for id in ids], writers=4
    )
    try:
        rolling.round(partial(schema.upgrade, url))
        with ContextStore.open(url, migrate=False) as store:
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
