"""The embedded server dies under its writers, and they start it again."""

import os
import signal

import psycopg
import pytest

from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.postmaster import is_server_of
from tests.chaos.form import form
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]

BUSY = """
    select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and query ~ 'append'
"""


def test_the_postmaster(trial, home, report):
    killing = trial("kill -9 of the postmaster", home)

    def kill():
        server = until(lambda: embedded.status(home))
        assert is_server_of(server.pid, server.data_directory)
        os.kill(server.pid, signal.SIGKILL)

    for _ in range(form(2, 30)):
        killing.round(kill)
    report(killing.finish())


def test_a_single_backend(trial, home, report):
    """Postgres then ends all the others, since the shared memory may be torn, and recovers."""
    killing = trial("kill -9 of a backend", home)

    def kill():
        server = until(lambda: embedded.status(home))
        with psycopg.connect(server.url(), autocommit=True) as connection:
            pids = until(lambda: connection.execute(BUSY).fetchall())
            os.kill(killing.chance.choice(pids)[0], signal.SIGKILL)

    for _ in range(form(1, 20)):
        killing.round(kill)
    report(killing.finish())
