"""Work that is done again and again, through APScheduler."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler

# It says when a job is still under way at its next turn. Whoever has set up logging hears it; nobody else's terminal is
# written on.
logging.getLogger("apscheduler").addHandler(logging.NullHandler())


class Scheduler:
    """Runs each job at once and then at an interval, each on a thread. A job that takes longer than its interval is not
    started a second time beside itself; what it missed meanwhile is made up for by one run."""

    def __init__(self) -> None:
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def every(self, seconds: float, name: str, job: Callable[[], object]) -> None:
        self._scheduler.add_job(
            job, "interval", seconds=seconds, id=name, name=name, next_run_time=datetime.now(UTC)
        )

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        """Starts nothing more, and waits for what is under way."""
        self._scheduler.shutdown(wait=True)
