"""A job is done once an interval, by whichever worker comes first: the database decides when it is due."""

import threading

import pytest

from backstory import ContextStore, InvalidInput, Worker
from backstory.application.jobs import history
from tests.jobs.conftest import age, came_of, job, outcomes
from tests.waiting import until


def test_two_workers_and_one_interval_make_one_run(own_store, database, superuser):
    done = []
    shared = job("count", lambda turn: done.append(1) or 1)
    turns = {"one": [], "two": []}
    with (
        ContextStore.open(database) as other,
        Worker(own_store, jobs=[shared], name="one", report=turns["one"].append),
        Worker(other, jobs=[shared], name="two", report=turns["two"].append),
    ):
        until(lambda: turns["one"] and turns["two"])
        assert sorted({run.outcome for said in turns.values() for run in said}) in (
            ["done", "not due"],
            ["busy", "done"],
        )
    assert (len(done), outcomes(superuser, "count")) == (1, ["done"])
    age(superuser, 3600)
    with ContextStore.open(database) as other:
        with Worker(own_store, jobs=[shared]):
            until(lambda: outcomes(superuser, "count") == ["done", "done"])
        assert came_of(Worker(other, jobs=[shared], name="late")) == ["not due"]
    assert len(done) == 2


def test_many_threads_begin_one_run(own_store, database, superuser):
    """Every worker asks at the same moment: whoever has the lock begins, and nobody else does."""
    gate = threading.Barrier(6)
    said = []

    def come(store):
        gate.wait()
        said.extend(came_of(Worker(store, jobs=[job("rush", lambda turn: 0)])))

    stores = [ContextStore.open(database, pool_size=2) for _ in range(6)]
    threads = [threading.Thread(target=come, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close()
    assert said.count("done") == 1
    assert set(said) <= {"done", "busy", "not due"}
    assert outcomes(superuser, "rush") == ["done"]


def test_a_clock_that_was_set_back_makes_a_job_due(own_store, superuser):
    Worker(own_store, jobs=[job("clock", lambda turn: 0)]).run_once()
    age(superuser, -7200)
    assert came_of(Worker(own_store, jobs=[job("clock", lambda turn: 0)])) == ["done"]


def test_one_now_need_not_be_due(own_store, superuser):
    worker = Worker(own_store, jobs=[job("forced", lambda turn: 3)])
    assert [run.changed for run in worker.run_once()] == [3]
    assert [run.changed for run in Worker(own_store, jobs=worker.jobs).run_once()] == [3]
    assert outcomes(superuser, "forced") == ["done", "done"]


def test_what_a_worker_with_a_shorter_interval_left_is_done(own_store, superuser):
    """It was told otherwise and is gone: nobody's list says for an hour that the job is overdue."""
    database = own_store._runtime.database
    begun = history.begin(database, "often", "eager:1", 10, at_once=False)
    history.end(database, "often", begun.run, "done", 1, None)
    worker = Worker(own_store, jobs=[job("often", lambda turn: 1)])
    assert came_of(worker) == ["not due"]
    age(superuser, 10)
    assert came_of(worker) == ["done"]
    age(superuser, 10)
    assert came_of(worker) == ["not due"], "its own interval is an hour"


def test_a_run_whose_worker_died_is_lost_and_done_again(own_store, superuser):
    begun = history.begin(own_store._runtime.database, "lost", "dead:1", 3600, at_once=False)
    assert begun.run == 1
    worker = Worker(own_store, jobs=[job("lost", lambda turn: 1)])
    assert came_of(worker) == ["not due"]
    assert outcomes(superuser, "lost") == ["lost"]
    age(superuser, 60)
    assert came_of(worker) == ["done"]


def test_the_history_is_bounded(own_store, superuser):
    superuser.execute(
        "insert into backstory.job_runs (job, run, worker, every_seconds, started_at, ended_at, outcome) "
        "select 'old', n, 'w', 60, now() - interval '9 hours', now(), 'done' "
        "from generate_series(1, 900) n"
    )
    Worker(own_store, jobs=[job("old", lambda turn: 1)]).run_once()
    (kept,) = superuser.execute("select array_agg(run order by run) from backstory.job_runs").fetchone()
    assert kept == list(range(402, 902))


def test_only_some_jobs_are_done(own_store):
    assert [run.job for run in Worker(own_store, only=["tiers"]).run_once()] == ["tiers"]
    for wrong in (
        {"only": ["nonsense"]},
        {"every": {"nonsense": 1}},
        {"limits": {"tiers": 0}},
        {"only": [[]]},
    ):
        with pytest.raises(InvalidInput):
            Worker(own_store, **wrong)
    with pytest.raises(InvalidInput, match="job"):
        own_store.job_runs("")
    with pytest.raises(InvalidInput, match="limit"):
        own_store.job_runs(limit=0)
