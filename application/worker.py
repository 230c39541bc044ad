"""The worker: what has to be done again and again, on a schedule. Any number of them may run on one database."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from backstory.domain.errors import InvalidInput, Refused
from backstory.infrastructure.queries import query
from backstory.infrastructure.scheduling import Scheduler

if TYPE_CHECKING:
    from backstory.store import ContextStore

LOOKED_BACK = timedelta(minutes=5)
"""Sessions that nobody wrote to for longer are idle: a checkpoint of theirs would say what the one before it says."""


class JobRun(NamedTuple):
    """One run of a job: how many sessions it changed, or why it could not. Without either, another worker was at it."""

    job: str
    started_at: datetime
    seconds: float
    changed: int | None
    error: str | None = None


Report = Callable[[JobRun], None]


class Worker:
    """Brings tiers up to date and takes the checkpoints that are due, each at its interval in seconds.

    A lock in the database guards each job: of several workers one does it, and the others go on to their next turn.
    """

    def __init__(
        self,
        store: "ContextStore",
        *,
        tiers_every: float = 60.0,
        checkpoints_every: float = 60.0,
        report: Report | None = None,
    ) -> None:
        for name, seconds in (("tiers_every", tiers_every), ("checkpoints_every", checkpoints_every)):
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
                raise InvalidInput(name, f"must be a positive number of seconds, got {seconds!r}")
        self._store = store
        self._report = report
        self._jobs: dict[str, tuple[float, Callable[[], int]]] = {
            "tiers": (tiers_every, self._update_tiers),
            "checkpoints": (checkpoints_every, self._take_checkpoints),
        }
        self._scheduler: Scheduler | None = None

    def run_once(self) -> list[JobRun]:
        """Does every job once, now."""
        return [self._run(name) for name in self._jobs]

    def start(self) -> Self:
        """Does every job now and then at its interval, on threads, until `stop`."""
        if self._scheduler is not None:
            raise InvalidInput("worker", "has been started")
        self._scheduler = Scheduler()
        for name, (seconds, _) in self._jobs.items():
            self._scheduler.every(seconds, name, partial(self._run, name))
        self._scheduler.start()
        return self

    def stop(self) -> None:
        """Starts no job any more, and waits for those under way."""
        if self._scheduler is not None:
            self._scheduler.stop()
            self._scheduler = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self, name: str) -> JobRun:
        started, clock = datetime.now(UTC), time.monotonic()
        changed, error = None, None
        try:
            with self._store._core.database.guarding(name) as mine:
                if mine:
                    changed = self._jobs[name][1]()
        except Exception as problem:
            # Whatever it was, it is reported and the next turn comes: a worker outlives a restart of its database.
            error = f"{type(problem).__name__}: {problem}"
        run = JobRun(name, started, time.monotonic() - clock, changed, error)
        if self._report is not None:
            self._report(run)
        return run

    def _update_tiers(self) -> int:
        return self._store.update_tiers().updated

    def _take_checkpoints(self) -> int:
        core = self._store._core
        since = datetime.now(UTC) - max(LOOKED_BACK, 2 * timedelta(seconds=self._jobs["checkpoints"][0]))
        rows = core.database.read(lambda c: c.execute(query("active_sessions"), (since,)).fetchall())
        taken = 0
        for (stream,) in rows:
            try:
                taken += self._store.session(stream).checkpoint_if_due() is not None
            except Refused:
                continue  # It ended or was purged meanwhile.
        return taken
