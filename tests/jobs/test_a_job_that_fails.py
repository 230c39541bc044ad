"""A failure is recorded without secrets, tried again after a growing pause, and no other job's concern."""

import threading
from datetime import timedelta

import psycopg
import pytest

from backstory import Worker
from backstory.application.jobs import jobs
from backstory.application.store import ContextStore
from tests.jobs.conftest import age, came_of, job, outcomes
from tests.waiting import until

ADDRESS = "postgresql://me:hunter2secret@db.example:5432/agents"


def broken(turn):
    raise RuntimeError(f"cannot use {ADDRESS}\nat all")


def test_it_is_recorded_and_tried_again(own_store, superuser, monkeypatch):
    faults = [broken]

    def work(turn):
        return faults.pop()(turn) if faults else 4

    flaky = job("flaky", work)
    monkeypatch.setattr(jobs, "JOBS", (flaky,))
    (run,) = Worker(own_store, jobs=[flaky]).run_once()
    said = "RuntimeError: cannot use postgresql://me:***@db.example:5432/agents at all"
    assert (run.outcome, run.changed, run.error) == ("failed", None, said)
    (state,) = own_store.jobs()
    assert (state.outcome, state.failures, state.last_done, state.error) == ("failed", 1, None, said)
    assert state.due_at - state.started_at == timedelta(seconds=60)
    assert came_of(Worker(own_store, jobs=[flaky])) == ["not due"]
    age(superuser, 60)
    with Worker(own_store, jobs=[flaky]):
        until(lambda: outcomes(superuser, "flaky") == ["failed", "done"])
    (state,) = own_store.jobs()
    assert (state.failures, state.changed, state.every) == (0, 4, 3600)
    assert state.due_at - state.started_at == timedelta(seconds=3600)
    assert [run.outcome for run in own_store.job_runs("flaky")] == ["done", "failed"]


@pytest.mark.parametrize(
    ("every", "pauses"),
    [(60, [60, 120, 240, 480, 900, 900]), (7200, [60, 120, 240, 480, 960, 1920, 3840, 7200])],
)
def test_the_pause_grows(own_store, superuser, every, pauses, monkeypatch):
    failing = job("failing", broken, every=every)
    monkeypatch.setattr(jobs, "JOBS", (failing,))
    found = []
    for _ in pauses:
        Worker(own_store, jobs=[failing]).run_once()
        (state,) = own_store.jobs()
        found.append((state.due_at - state.started_at).total_seconds())
    assert found == pauses


def test_the_others_go_on(own_store, superuser):
    with Worker(own_store, jobs=[job("bad", broken, every=0.01), job("good", lambda turn: 1, every=0.01)]):
        until(lambda: outcomes(superuser, "good").count("done") > 3 and len(outcomes(superuser, "bad")) > 1)
    assert set(outcomes(superuser, "bad")) == {"failed"}


def test_values_of_rows_are_not_kept(own_store):
    """The server's details quote what was written; they do not come into the history."""

    def clash(turn):
        with turn.store._runtime.database.connection() as connection:
            connection.execute("select 1/0 from backstory.streams right join (select 'personal') p on true")

    def unnamed(turn):
        raise psycopg.errors.UniqueViolation("Key (name)=(Ada Lovelace) already exists")

    (run,) = Worker(own_store, jobs=[job("clash", clash)]).run_once()
    assert (run.outcome, run.error) == ("failed", "invalid-input: value: division by zero")
    (run,) = Worker(own_store, jobs=[job("unnamed", unnamed)]).run_once()
    assert run.error is not None
    assert "Ada" not in run.error


def test_a_database_that_is_away_leaks_nothing(new_database):
    """Nothing can be noted then; the turn says so, and the next comes soon."""
    store = ContextStore.open(new_database(), patience=0.2)
    store._runtime.database.url = "host=127.0.0.1 port=1 user=me password=hunter2secret"
    worker = Worker(store, jobs=[job("away", lambda turn: 1)])
    (run,) = worker.run_once()
    assert (run.outcome, run.error) == (
        "failed",
        "server-unavailable: no connection to Postgres to hold a job's lock.",
    )
    store.close()


def test_a_worker_ends_though_the_database_is_away(new_database):
    """However patient the store is."""
    store = ContextStore.open(new_database(), patience=3600)
    turns = []
    worker = Worker(store, jobs=[job("waiting", lambda turn: 1, every=0.01)], report=turns.append).start()
    until(lambda: turns)
    assert worker._history is not None
    worker._history._connector.url = "host=127.0.0.1 port=1"
    stopping = threading.Thread(target=worker.stop, daemon=True)
    stopping.start()
    stopping.join(120)
    assert not stopping.is_alive()
    store.close()
