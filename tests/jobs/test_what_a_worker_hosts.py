"""A worker applies retention rules, and keeps the projections of the feed."""

import subprocess
from datetime import UTC, datetime, timedelta

from backstory import Worker
from backstory.application.feed.projection_runner import ProjectionRunner
from tests.cli.conftest import running
from tests.jobs.conftest import job
from tests.waiting import until


def test_sessions_past_their_time_are_purged(own_store, superuser, tmp_path):
    old, kept = own_store.start(project="short"), own_store.start(project="short")
    for session in (old, kept):
        session.end("done")
    superuser.execute("alter table backstory.streams disable trigger all")
    superuser.execute(
        "update backstory.streams set recorded_at = %s where stream_id = %s",
        (datetime.now(UTC) - timedelta(days=40), old.id),
    )
    own_store.set_retention("short", 30, purge_to=tmp_path)
    (run,) = Worker(own_store, only=["retention"]).run_once()
    assert (run.outcome, run.changed, run.error) == ("done", 1, None)
    assert [session.id for session in own_store.sessions()] == [kept.id]
    assert [file.name for file in tmp_path.iterdir()] == [f"{old.id}.jsonl"]


def are_kept(store, upto=0):
    """Whether all are led, and as far as the feed."""
    found = ProjectionRunner(store).status()
    return all(one.leader is not None and one.behind == 0 and one.position >= upto for one in found)


def are_left(store):
    return all(one.leader is None for one in ProjectionRunner(store).status())


def test_projections_are_kept_while_it_runs(own_store):
    session = own_store.start()
    with Worker(own_store, jobs=[job("idle", lambda turn: 0)], projections=True):
        until(lambda: are_kept(own_store))
        session.message("and what comes later")
        until(lambda: are_kept(own_store, upto=2))
    until(lambda: are_left(own_store))


def test_they_are_left_alone_when_told_so(own_store):
    assert Worker(own_store)._projections is not None
    assert Worker(own_store, projections=False)._projections is None
    assert Worker(own_store, only=["tiers"])._projections is None
    assert Worker(own_store, only=["tiers"], projections=True)._projections is not None


def test_a_worker_in_a_process_of_its_own_ends_cleanly_with_all_of_it(own_store, database, tmp_path):
    """It has led a projection, done jobs and served metrics; told to stop, it ends with 0 and leaves nothing behind."""
    own_store.start().message("hello")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    words = ("--url", database, "worker", "--json", "--metrics-port", "0", "--name", "the one")
    with running(*words, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}, **streams) as process:
        until(lambda: are_kept(own_store))
        until(lambda: all(state.outcome == "done" for state in own_store.jobs()))
        process.terminate()
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
    assert {run.worker for run in own_store.job_runs()} == {"the one"}
    assert all(run.ended_at is not None for run in own_store.job_runs())
    until(lambda: are_left(own_store))
