"""Writers and servers that are killed in the middle of things: what was acknowledged is in the log, nothing is torn,
nothing is there twice."""

import os
import random
import signal

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.embedded.postmaster import is_server_of
from tests.crash.account import settle
from tests.crash.writer import append
from tests.properties import usually
from tests.waiting import until

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(280)]

WRITER_KILLS = usually(3, 25)
SERVER_KILLS = usually(2, 20)
BACKEND_KILLS = usually(1, 5)


def test_a_killed_writer(home, start_writer):
    with ContextStore.open(embedded.start_or_join(home).url()) as store:
        session = store.start()
        chance = random.Random(1)
        begin = 0
        repeated = []
        for _ in range(WRITER_KILLS):
            writing = start_writer(store._runtime.database.url, session, begin)
            writing.get_on(chance.randint(1, 8))
            until(lambda: chance.random() < 0.1)  # somewhere in the middle of what it does next
            writing.kill()
            begun = writing.notes()[-1]
            begin = begun["number"] + 1
            if begun["outcome"] == "begun" and begun["kind"] != "plain":
                # Nobody knows whether it was done; under its key it can be asked for again.
                versions = append(session, begun["number"])
                assert append(session, begun["number"]) == versions
                repeated.append({**begun, "outcome": "done", "versions": versions})
        the_log_holds_what_was_acknowledged(session, writing.notes() + repeated, insisted=True)


def test_a_killed_server(home, start_writer):
    server = embedded.start_or_join(home)
    chance = random.Random(2)
    kills = ["server"] * SERVER_KILLS + ["backend"] * BACKEND_KILLS
    chance.shuffle(kills)
    with ContextStore.open(server.url()) as store:
        session = store.start()
        idle = store.start()
        writing = start_writer(server.url(), session, 0)
        for turn, kill in enumerate(kills, 1):
            writing.get_on(chance.randint(1, 12))
            if kill == "server":
                os.kill(server.pid, signal.SIGKILL)
                server = embedded.start_or_join(home)
                assert server.started
                # This store was opened before, and its connections were closed while they lay idle: it goes on, and
                # even without a key there is no doubt about what it does.
                assert idle.message("still there") == turn + 1
            else:
                kill_a_backend(server)
                assert idle.once(f"turn {turn}").message("still there") == turn + 1
        writing.get_on(5)
        writing.finish()
        notes = writing.notes()
        the_log_holds_what_was_acknowledged(session, notes)
        for note in notes:
            assert note["outcome"] in ("begun", "done") or note["kind"] == "plain", note
        assert idle.verify().ok


def kill_a_backend(server):
    """Kills one of the server's processes that is busy with a query; the server then restarts all of them."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        rows = connection.execute(
            "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
        ).fetchall()
        assert is_server_of(server.pid, server.data_directory)
        os.kill(rows[0][0], signal.SIGKILL)
        until(lambda: _is_gone(connection))


def _is_gone(connection):
    try:
        connection.execute("select 1")
    except psycopg.OperationalError:
        return True
    return False


def the_log_holds_what_was_acknowledged(session, notes, *, insisted=False):
    assert session.verify().problem is None
    account = settle(session, notes, insisted=insisted)
    assert not account.wrong
    assert account.acknowledged >= usually(5, 50)
