import os
import signal
import threading
from pathlib import Path

import psycopg
import pytest

from backstory.application.store import ContextStore
from backstory.domain.errors import OutcomeUnknown
from backstory.infrastructure.embedded import server as embedded
from tests.waiting import until, until_available

pytestmark = pytest.mark.chaos

WAITING = "select pid from pg_locks where locktype = 'advisory' and not granted"


def test_without_a_key_nobody_knows_and_under_a_key_it_is_repeated(home):
    """The server dies while appends wait in it for the session's lock."""
    server = embedded.start_or_join(home)
    outcomes = {}
    with ContextStore.open(server.url()) as store:
        session = store.start()
        goal = session.work.set_goal("goal")
        work = {
            "plain": lambda: session.message("plain"),
            "keyed": lambda: session.once("message").message("keyed"),
            "guarded": lambda: session.once("goal").work.complete_goal(goal),
            "together": lambda: session.once("both").atomically(
                lambda tx: (tx.message("a"), tx.message("b"))
            ),
        }

        def run(name):
            try:
                outcomes[name] = work[name]()
            except BaseException as error:
                outcomes[name] = error

        threads = [threading.Thread(target=run, args=(name,)) for name in work]
        with pytest.raises(psycopg.OperationalError), psycopg.connect(server.url()) as other:  # noqa: PT012
            other.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (session.id,))
            for thread in threads:
                thread.start()
            until(lambda: len(other.execute(WAITING).fetchall()) == len(work))
            waiting = [pid for (pid,) in other.execute(WAITING)]
            # Whoever has the lock stands still: ending first, it would hand the lock on to a process that has not yet
            # noticed that its server is gone, and that append would be done and answered.
            os.kill(other.info.backend_pid, signal.SIGSTOP)
            os.kill(server.pid, signal.SIGKILL)
            until(lambda: all(map(has_ended, waiting)))
            os.kill(other.info.backend_pid, signal.SIGKILL)
            embedded.start_or_join(home)
            other.execute("select 1")
        for thread in threads:
            thread.join()
        unknown = outcomes.pop("plain")
        assert isinstance(unknown, OutcomeUnknown), unknown
        assert "may or may not be in the log" in str(unknown)
        assert not [error for error in outcomes.values() if isinstance(error, BaseException)]
        said = sorted(message.parts[0].data for message in session.messages())
        assert said == [b"a", b"b", b"keyed"]
        assert session.version == 6
        assert session.state.goals == {}
        for name in outcomes:
            work[name]()
        assert session.version == 6
        assert session.verify().ok


def has_ended(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state in "ZX"


def test_a_server_that_does_not_come_back_is_said_to_be_unavailable(home):
    from backstory.domain.errors import ServerUnavailable

    server = embedded.start_or_join(home)
    with ContextStore.open(server.url(), patience=0.5) as store:
        session = store.start()
        embedded.stop(home)
        for attempt in (
            lambda: session.message("x"),
            lambda: session.once("k").message("x"),
            lambda: session.state,
            lambda: session.backtrack(1, "x"),
            lambda: store.start(),
        ):
            with pytest.raises(ServerUnavailable):
                attempt()
        embedded.start_or_join(home)
        assert until_available(lambda: session.message("back again")) == 2
