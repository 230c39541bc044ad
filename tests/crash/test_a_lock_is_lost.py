"""A change that goes through only while it holds the session's lock, and loses the connection that holds it."""

import threading

import psycopg
import pytest

from backstory.domain.errors import OutcomeUnknown
from tests.waiting import until

WAITING = "select pid from pg_locks where locktype = 'advisory' and not granted and database = %s"
DATABASE = "select oid from pg_database where datname = current_database()"


@pytest.mark.parametrize("key", [None, "key"])
def test_under_a_key_it_takes_the_lock_again(new_database, open_store, monkeypatch, key):
    monkeypatch.setattr("backstory.application.writing.append.OPTIMISTIC_ATTEMPTS", 0)
    url = new_database()
    session = open_store(url).start()
    goal = session.work.set_goal("goal")
    writer = session if key is None else session.once(key)
    outcomes = []

    def complete():
        try:
            outcomes.append(writer.work.complete_goal(goal))
        except OutcomeUnknown as error:
            outcomes.append(error)

    writing = threading.Thread(target=complete)
    with psycopg.connect(url) as other, psycopg.connect(url, autocommit=True) as watching:
        (database,) = watching.execute(DATABASE).fetchone()
        other.execute("select pg_advisory_xact_lock(uuid_hash_extended(%s, 20260))", (session.id,))
        writing.start()
        (pid,) = until(lambda: watching.execute(WAITING, (database,)).fetchone())
        watching.execute("select pg_terminate_backend(%s)", (pid,))
        other.rollback()
        writing.join()
    (outcome,) = outcomes
    if key is None:
        assert isinstance(outcome, OutcomeUnknown)
        assert session.version == 2
    else:
        assert outcome == session.version == 3
        assert writer.work.complete_goal(goal) == 3
    assert session.verify().ok
