"""A store on the embedded Postgres, when that has died and cannot be started again."""

import os
import signal
import threading

import psycopg
import pytest

from backstory.application.bootstrap import make_runtime
from backstory.application.store import ContextStore
from backstory.domain.errors import OutcomeUnknown, ServerUnavailable
from backstory.infrastructure.embedded import server as embedded
from backstory.infrastructure.postgres.database import Database
from tests.waiting import until, until_available

pytestmark = pytest.mark.chaos

WAITING = "select count(*) from pg_locks where locktype = 'advisory' and not granted"


@pytest.fixture
def store(home):
    """It is to start its server again, and that fails."""

    def revive():
        raise ServerUnavailable("the disk was stolen")

    database = Database(embedded.start_or_join(home).url(), patience=0.5, revive=revive)
    database.open()
    with ContextStore(make_runtime(database)) as store:
        yield store


def test_what_was_under_way_may_have_been_done_and_what_comes_next_was_not(home, store):
    server = embedded.start_or_join(home)
    session = store.start()
    outcomes = []

    def write():
        try:
            session.message("is it there?")
        except BaseException as error:
            outcomes.append(error)

    with pytest.raises(psycopg.OperationalError), psycopg.connect(server.url()) as other:  # noqa: PT012
        other.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (session.id,))
        writing = threading.Thread(target=write)
        writing.start()
        until(lambda: other.execute(WAITING).fetchone() == (1,))
        os.kill(server.pid, signal.SIGKILL)
        writing.join()
        until(lambda: embedded.status(home) is None)
        other.execute("select 1")
    (outcome,) = outcomes
    assert isinstance(outcome, OutcomeUnknown), outcome
    with pytest.raises(
        ServerUnavailable, match=r"no connection to Postgres within 0.5 s: the disk was stolen"
    ):
        session.message("is anybody there?")

    embedded.start_or_join(home)
    assert until_available(lambda: session.message("back again")) == 2
