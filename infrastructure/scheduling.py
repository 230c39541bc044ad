"""Work that is done again and again, through APScheduler."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler

# Whoever has set up logging hears what it says; nobody else's terminal is written on.
logging.getLogger("apscheduler").addHandler(logging.NullHandler())


CLOCK_LOOKS = 1.0
"""Seconds between two looks at whether this machine's clock was set."""


class Scheduler:
    """Runs each job at once, on a thread, and then again whenever the job itself said that its next turn is: it returns
    the seconds until then. So a turn is never begun beside the one before it, and the database decides, not a clock of
    this machine."""

    def __init__(self, jobs: int) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(max(1, jobs))},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        self._stopped = threading.Event()
        self._adding = threading.Lock()

    def add(self, name: str, turn: Callable[[], float]) -> None:
        """Does this from the start on."""
        self._after(0, name, turn)

    def _after(self, seconds: float, name: str, turn: Callable[[], float]) -> None:
        def take_turn() -> None:
            wait = turn()
            with self._adding:
                # APScheduler holds its own lock while it waits for the threads to end, and adding a turn needs that.
                if not self._stopped.is_set():
                    self._after(wait, name, turn)

        at = datetime.now(UTC) + timedelta(seconds=seconds)
        self._scheduler.add_job(take_turn, "date", run_date=at, name=name)

    def start(self) -> None:
        self._scheduler.start()
        ahead = time.time() - time.monotonic()
        threading.Thread(
            target=self._follow_clock, args=(ahead,), name="backstory-clock", daemon=True
        ).start()

    def _follow_clock(self, ahead: float) -> None:
        """APScheduler waits for times of day. When the clock is set back, an hour say, all turns would come an hour
        late; so they are moved along with it."""
        while not self._stopped.wait(CLOCK_LOOKS):
            moved = time.time() - time.monotonic() - ahead
            if abs(moved) > CLOCK_LOOKS:
                ahead += moved
                for job in self._scheduler.get_jobs():
                    try:
                        job.modify(next_run_time=job.next_run_time + timedelta(seconds=moved))
                    except JobLookupError:
                        continue  # Its turn has just come.

    def begin_to_stop(self) -> None:
        """Starts nothing more."""
        with self._adding:
            self._stopped.set()
        if self._scheduler.running:
            self._scheduler.pause()

    def stop(self) -> None:
        """Starts nothing more, and waits for what is under way."""
        self.begin_to_stop()
        self._scheduler.shutdown(wait=True)
