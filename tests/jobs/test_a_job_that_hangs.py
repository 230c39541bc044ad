"""A job that hangs is cut when its time is over or the worker has to stop, and holds nothing up after that."""

import threading
from uuid import uuid4

import psycopg
import pytest

from backstory import Worker
from backstory.application.jobs import runner
from tests.jobs.conftest import came_of, job, outcomes
from tests.waiting import until


@pytest.fixture
def impatient(monkeypatch):
    """A job that does not let go is left to itself at once."""
    monkeypatch.setattr(runner, "CANCEL_GRACE", 0.2)
    monkeypatch.setattr(runner, "LOOKS", 0.05)


def sleep_in_the_database(turn):
    with turn.store._runtime.database.connection() as connection:
        connection.execute("select pg_sleep(3600) /* the job */")
    return 1


def statements(connection):
    (count,) = connection.execute(
        "select count(*) from pg_stat_activity where state = 'active' and query like '%the job%' "
        "and pid <> pg_backend_pid() and datname = current_database()"
    ).fetchone()
    return count


def test_a_statement_is_cancelled_when_the_time_is_over(own_store, superuser):
    (run,) = Worker(own_store, jobs=[job("slow", sleep_in_the_database, limit=0.3)]).run_once()
    assert (run.outcome, run.changed, run.error) == ("timed out", None, "took longer than 0.3 s")
    assert outcomes(superuser, "slow") == ["timed out"]
    until(lambda: statements(superuser) == 0)


def test_one_that_goes_on_after_a_cancellation_gets_no_further(own_store, superuser):
    seen = []

    def stubborn(turn):
        while True:
            try:
                sleep_in_the_database(turn)
            except runner.JobCut as cut:
                seen.append(str(cut))
                raise
            except Exception as error:
                seen.append(type(error).__name__)

    (run,) = Worker(own_store, jobs=[job("stubborn", stubborn, limit=0.3)]).run_once()
    assert run.outcome == "timed out"
    assert seen == ["Unavailable", "the job stubborn was cut: took longer than 0.3 s."]


def test_one_that_hangs_outside_the_database_gives_up_its_locks(own_store, database, superuser, impatient):
    """It holds a session's lock and never comes back; nothing of it may stay."""
    session = own_store.start()
    let_go = threading.Event()
    after = []

    def hang(turn):
        try:
            with turn.store._runtime.database.holding(session.id):
                let_go.wait()
        finally:
            try:
                turn.store.start()
            except Exception as error:
                after.append(type(error))
        return 1

    hanging = job("hanging", hang, limit=0.3)
    (run,) = Worker(own_store, jobs=[hanging]).run_once()
    assert run.outcome == "timed out"
    session.message("the lock is free again")
    (again,) = Worker(own_store, jobs=[job("hanging", lambda turn: 1)]).run_once()
    assert again.outcome == "done"
    let_go.set()
    until(lambda: after == [runner.JobCut])
    assert outcomes(superuser, "hanging") == ["timed out", "done"]
    assert len(own_store.sessions()) == 1


def test_the_next_run_is_on_new_connections(own_store):
    works = [lambda turn: len(turn.store.sessions()), sleep_in_the_database]
    worker = Worker(own_store, jobs=[job("once bitten", lambda turn: works.pop()(turn), limit=1.5)])
    own_store.start()
    (runner,) = worker._runners
    assert runner.run(at_once=True).run.outcome == "timed out"
    assert runner.run(at_once=True).run.changed == 1
    runner.close()


def test_a_lost_lock_ends_the_job(own_store, superuser, impatient):
    """Another worker may have it by now."""
    runs = []
    begun = threading.Event()

    def work(turn):
        begun.set()
        return sleep_in_the_database(turn)

    worker = Worker(own_store, jobs=[job("unlocked", work)], report=runs.append)
    thread = threading.Thread(target=worker.run_once)
    thread.start()
    begun.wait()
    ended = superuser.execute(
        "select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.classid = 20264 "
        "and l.database = (select oid from pg_database where datname = current_database())"
    ).fetchall()
    assert ended == [(True,)]
    thread.join()
    assert [(run.outcome, run.error) for run in runs] == [
        ("failed", "the connection that held the job's lock was lost")
    ]
    assert outcomes(superuser, "unlocked") == ["failed"]


def test_a_worker_that_stops_lets_jobs_end_their_batch(own_store, superuser):
    begun, runs, batches = threading.Event(), [], []

    def in_batches(turn):
        while True:
            batches.append(turn.store.start(uuid4()).id)
            begun.set()
            turn.pause()

    with Worker(own_store, jobs=[job("batches", in_batches)], report=runs.append):
        begun.wait()
    assert [(run.outcome, run.error) for run in runs] == [("stopped", None)]
    assert outcomes(superuser, "batches") == ["stopped"]
    assert len(own_store.sessions(limit=100_000)) == len(batches)
    (run,) = Worker(own_store, jobs=[job("batches", lambda turn: 1)]).run_once()
    assert run.outcome == "done"


def test_a_worker_that_stops_cuts_what_does_not_end(own_store, superuser):
    begun = threading.Event()

    def work(turn):
        begun.set()
        return sleep_in_the_database(turn)

    worker = Worker(own_store, jobs=[job("endless", work)]).start()
    begun.wait()
    worker.stop(grace=0.1)
    assert outcomes(superuser, "endless") == ["stopped"]
    until(lambda: statements(superuser) == 0)
    # It was not done, so it is due at once.
    assert came_of(Worker(own_store, jobs=[job("endless", lambda turn: 1)])) == ["done"]


def test_a_server_limits_statements_by_itself(own_store):
    """Should the worker die before it can cancel one."""
    limits = []

    def ask(turn):
        with turn.store._runtime.database.connection() as connection:
            limits.append(connection.execute("show statement_timeout").fetchone())
        return 0

    Worker(own_store, jobs=[job("limited", ask, limit=90)]).run_once()
    assert limits == [("90s",)]
    with psycopg.connect(own_store._runtime.database.url) as connection:
        assert connection.execute("show statement_timeout").fetchone() == ("0",)
