"""Several workers on one database do each piece of work once."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle
from time import monotonic

import pytest

from backstory import ContextStore, InvalidInput, Worker
from backstory.domain.policies.tiers import DEFAULT_TIERS
from backstory.domain.values import microseconds
from tests.properties import usually
from tests.waiting import until as wait_until

SECONDS = usually(1, 60)
NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def test_one_run_moves_what_is_due(own_store):
    session = own_store.start()
    item = session.occurred(LONG_AGO).items.save("code", "x", importance=0.9)
    tiers, checkpoints = Worker(own_store, only=["tiers", "checkpoints"]).run_once()
    assert (tiers.job, tiers.changed, tiers.error) == ("tiers", 1, None)
    assert (checkpoints.job, checkpoints.error) == ("checkpoints", None)
    assert session.state.items[item].tier == "COLD"
    assert Worker(own_store).run_once()[0].changed == 0


def test_a_checkpoint_is_taken_after_half_an_hour_of_work(own_store):
    session = own_store.start()
    session.occurred(datetime.now(UTC) - timedelta(minutes=31)).checkpoints.create("begin")
    session.message("hello")
    done = Worker(own_store).run_once()[1]
    assert (done.changed, done.error) == (1, None)
    assert len(session.checkpoints.list()) == 2
    assert Worker(own_store).run_once()[1].changed == 0


def test_a_job_that_another_has_is_left_to_it(own_store, database):
    own_store.start().occurred(LONG_AGO).items.save("code", "x", importance=0.9)
    with ContextStore.open(database) as other, other._runtime.database.guarding("tiers") as mine:
        assert mine
        assert Worker(own_store).run_once()[0].changed is None
    assert Worker(own_store).run_once()[0].changed == 1


def test_a_worker_goes_on_until_it_is_stopped(own_store):
    runs = []
    session = own_store.start()
    with Worker(own_store, every={"tiers": 0.05}, report=runs.append):
        wait_until(lambda: any(run.job == "tiers" for run in runs))
        session.occurred(LONG_AGO).items.save("code", "x", importance=0.9)
        wait_until(lambda: [item.tier for item in session.state.items.values()] == ["COLD"])
    assert not [run.error for run in runs if run.error]
    seen = len(runs)
    assert [thread for thread in threading.enumerate() if "APScheduler" in thread.name] == []
    assert len(runs) == seen


@pytest.mark.parametrize("seconds", [0, -1, "soon", True])
def test_an_interval_that_is_none_is_refused(own_store, seconds):
    with pytest.raises(InvalidInput, match="every: tiers"):
        Worker(own_store, every={"tiers": seconds})


def test_updates_at_the_same_time_move_each_item_once(own_store, database):
    sessions = [own_store.start() for _ in range(130)]
    for session in sessions:
        session.occurred(NOON).items.save("code", "x", importance=0.9)
    with ContextStore.open(database) as other, ThreadPoolExecutor(4) as threads:
        stores = (own_store, other) * 2
        done = list(threads.map(lambda store: store.update_tiers(NOON + timedelta(days=30)), stores))
    assert sum(update.moved for update in done) == len(sessions)
    for session in sessions:
        assert [event.body.changes for event in session.events(types=["tiers.reassigned"])] == [{"COLD": "2"}]
        assert session.verify().ok


WORKER = """
import sys
from backstory.interfaces.cli import main
sys.argv = ["backstory", "--url", sys.argv[1], "worker", "--tiers-every", "0.2", "--checkpoints-every", "0.5", "--json"]
main()
"""


@contextmanager
def working(database, output):
    """A worker in a process of its own, once it works; it does not outlive the block."""
    with output.open("w") as out, output.with_suffix(".err").open("w") as err:
        process = subprocess.Popen([sys.executable, "-c", WORKER, database], stdout=out, stderr=err)
        try:
            wait_until(lambda: output.read_text() or process.poll() is not None)
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_two_workers_under_load(own_store, database, tmp_path):
    """Writers bring items that cool while two workers run; in the end each move was made by one event, and of each
    session, whose checkpoint had been due for a minute when they began, there is one more checkpoint."""
    told = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    with working(database, told[0]) as one, working(database, told[1]) as two:
        sessions, written = under_load(own_store)
        wait_until(lambda: own_store.update_tiers().moved == 0)
        wait_until(lambda: all(len(session.checkpoints.list()) > 1 for session in sessions))
        for worker in (one, two):
            worker.terminate()
        assert [worker.wait(60) for worker in (one, two)] == [0, 0]
    assert [file.with_suffix(".err").read_text() for file in told] == ["", ""]
    assert any('"outcome": "done"' in file.read_text() for file in told)
    assert written > usually(20, 100)
    for session in sessions:
        state, at = session.state, microseconds(datetime.now(UTC))
        assert [
            item
            for item in state.items.values()
            if item.tier
            != DEFAULT_TIERS.tier(DEFAULT_TIERS.score(item.importance, item.accesses, item.touched, at))
        ] == []
        nothing_was_done_twice(session)
        assert [one.name for one in session.checkpoints.list()] == ["begin", "time_interval"]
        assert session.verify().ok


def under_load(store):
    """Sessions that two threads wrote to, and how many items there are. Many sessions, so that none grows so long that
    checking it takes longer than the load."""
    sessions = [store.start() for _ in range(40)]
    for session in sessions:
        session.occurred(datetime.now(UTC) - timedelta(minutes=31)).checkpoints.create("begin")
    deadline = monotonic() + SECONDS

    def write(mine):
        count = 0
        sessions = cycle(mine)
        while monotonic() < deadline:
            session = next(sessions)
            # It was HOT when it was brought; by the closed form it is not any more.
            brought = datetime.now(UTC) - timedelta(hours=(11, 50, 200)[count % 3])
            session.occurred(brought).items.save("code", f"{count}", importance=0.9)
            if count % 5 == 0:
                session.items.touch(3)
            count += 1
        return count

    with ThreadPoolExecutor(2) as threads:
        return sessions, sum(threads.map(write, (sessions[:20], sessions[20:])))


def nothing_was_done_twice(session):
    """No event moves an item to where it is."""
    tiers: dict[int, str] = {}
    for event in session.events():
        if event.effects.brings is not None:
            tiers[event.version] = event.effects.brings.tier
        for tier, items in event.effects.tiers.items():
            assert all(tiers[item] != tier for item in items)
            tiers |= dict.fromkeys(items, tier)
