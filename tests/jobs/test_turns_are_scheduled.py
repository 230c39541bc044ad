"""Turns come when the one before says so, also when the clock is set; stopping waits for none that will not come."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from backstory.infrastructure import scheduling
from backstory.infrastructure.scheduling import Scheduler
from tests.waiting import until


def stopped_amid_turns():
    """Whether a scheduler ended that was stopped while each turn asks for the next at once."""
    turns = []
    scheduler = Scheduler(4)
    for name in "abcd":
        scheduler.add(name, lambda: turns.append(1) or 0.0)
    scheduler.start()
    until(lambda: len(turns) > 8)
    stopping = threading.Thread(target=scheduler.stop, daemon=True)
    stopping.start()
    stopping.join(60)
    return not stopping.is_alive()


def test_stopping_while_turns_end_does_not_hang():
    assert all(stopped_amid_turns() for _ in range(40))


@pytest.mark.parametrize("hours", [-5, 5])
def test_a_clock_that_is_set_moves_no_turn(monkeypatch, hours):
    """A turn in ten hours stays one in ten hours, by the new clock."""
    monkeypatch.setattr(scheduling, "CLOCK_LOOKS", 0.01)
    scheduler = Scheduler(1)
    taken = []
    scheduler.add("rare", lambda: taken.append(1) or 36_000.0)
    scheduler.start()
    (job,) = until(lambda: taken and scheduler._scheduler.get_jobs())
    planned = job.next_run_time
    clock = time.time
    monkeypatch.setattr(scheduling.time, "time", lambda: clock() + hours * 3600)
    until(lambda: abs(_next(scheduler) - planned - timedelta(hours=hours)) < timedelta(minutes=1))
    monkeypatch.setattr(scheduling.time, "time", clock)
    until(lambda: abs(_next(scheduler) - planned) < timedelta(minutes=1))
    scheduler.stop()
    assert planned > datetime.now(UTC)


def _next(scheduler):
    (job,) = scheduler._scheduler.get_jobs()
    return job.next_run_time
