"""The worker: runs the scheduled jobs. Any number of workers may run on one database."""

import logging
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from backstory.application.feed.projection_runner import ProjectionRunner
from backstory.application.jobs.jobs import JOBS, Job, adjusted
from backstory.application.jobs.projections import hosted_projections
from backstory.application.jobs.runner import CANCEL_GRACE, JobRun, JobRunner, failed
from backstory.domain.errors import InvalidInput
from backstory.domain.values import label
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.scheduling import Scheduler

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

JITTER = 0.1
"""The share of the interval by which a run is delayed at random, at most, so that workers do not all start at
once."""
LONGEST_JITTER = 5.0
"""Seconds of that delay, at most."""
GRACE = 10.0
"""Seconds that running jobs have to end when the worker stops."""
SHORTEST_WAIT = 0.02
"""Seconds between two checks of a job, at least."""
LONGEST_WAIT = 300.0
"""Seconds between two checks of a job, at most: the worker that has it may die."""

Report = Callable[[JobRun], None]

_LOGGER = logging.getLogger("backstory.worker")


class Worker:
    """Does the scheduled jobs: each at its interval, or at another one (`every`), within its time limit, or another
    (`limits`), or some of them `only`. With `projections` it also keeps the read models that follow the feed; unless
    told otherwise it does so when it does all jobs.

    Workers share the jobs: whoever comes first when one is due does it, under a lock in the database, and the history
    there says when it is due again.
    """

    def __init__(
        self,
        store: "ContextStore",
        *,
        every: Mapping[str, float] | None = None,
        limits: Mapping[str, float] | None = None,
        only: Sequence[str] | None = None,
        projections: bool | None = None,
        name: str | None = None,
        report: Report | None = None,
        jobs: Sequence[Job] = JOBS,
    ) -> None:
        self.name = label("name", name) if name is not None else f"{socket.gethostname()[:150]}:{os.getpid()}"
        self._report = report
        wanted = adjusted(tuple(jobs), every, limits, None if only is None else tuple(only))
        # Whoever it works for, it reads no files but those that the operator has listed.
        store = store.on_behalf_of(store._runtime.caller)
        self._store = store
        self._history: Database | None = None
        self._opening = threading.Lock()
        self._runners = [JobRunner(store, job, self.name, self._opened_history) for job in wanted]
        hosts = only is None and jobs is JOBS if projections is None else projections
        self._projections = ProjectionRunner(store, hosted_projections(store)) if hosts else None
        self._scheduler: Scheduler | None = None
        self._stopping = threading.Event()

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that this worker runs."""
        return tuple(runner.job for runner in self._runners)

    def run_once(self) -> list[JobRun]:
        """Runs every job once, now, whether it is due or not."""
        try:
            return [self._run(runner, at_once=True)[0] for runner in self._runners]
        finally:
            self._close()

    def start(self) -> Self:
        """Runs every job whenever it is due, on threads, until `stop`."""
        if self._scheduler is not None or self._stopping.is_set():
            raise InvalidInput("worker", "has been started")
        self._scheduler = Scheduler(len(self._runners))
        for runner in self._runners:
            self._scheduler.add(runner.job.name, partial(self._scheduled, runner))
        self._scheduler.start()
        if self._projections is not None:
            self._projections.start()
        _LOGGER.info("worker started", extra={"worker": self.name, "jobs": [job.name for job in self.jobs]})
        return self

    def stop(self, grace: float = GRACE) -> None:
        """Starts no more jobs, and waits for the running ones: each ends after its batch, or is cut after the grace
        period."""
        self._stopping.set()
        if self._scheduler is None:
            return
        deadline = time.monotonic() + grace
        self._scheduler.begin_to_stop()
        for runner in self._runners:
            runner.stop()
        stopping = self._stop_projections()
        # Whoever waits for a database that is away need not wait any longer.
        self._with_history(Database.lose_patience)
        timers = [
            threading.Timer(grace, self.cut),
            threading.Timer(grace + CANCEL_GRACE, self._with_history, (Database.close,)),
        ]
        for timer in timers:
            timer.daemon = True
            timer.start()
        self._scheduler.stop()
        for timer in timers:
            timer.cancel()
        # A batch that does not end goes with the process, and is undone as a whole.
        stopping.join(max(0.0, deadline - time.monotonic()))
        self._scheduler = None
        self._close()
        _LOGGER.info("worker stopped", extra={"worker": self.name})

    def _stop_projections(self) -> threading.Thread:
        """A thread that ends when the projections have stopped."""
        stop = self._projections.stop if self._projections is not None else lambda: None
        stopping = threading.Thread(target=stop, name="backstory-projections-stop", daemon=True)
        stopping.start()
        return stopping

    def cut(self) -> None:
        """Cuts the running jobs now, without the grace period of `stop`."""
        for runner in self._runners:
            runner.cut()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _opened_history(self) -> Database:
        """The connections for locks and the history. They are apart from the store's, so that the worker can end
        while those are busy or wait for the database."""
        with self._opening:
            if self._history is None or self._history.closed:
                used = self._store._runtime.database
                history = Database(used.url, pool_size=2, patience=used.patience, revive=used.revive)
                if self._stopping.is_set():
                    history.lose_patience()
                history.open(wait=False)
                self._history = history
            return self._history

    def _with_history(self, do: Callable[[Database], None]) -> None:
        history = self._history
        if history is not None and not history.closed:
            do(history)

    def _close(self) -> None:
        for runner in self._runners:
            runner.close()
        self._with_history(Database.close)

    def _scheduled(self, runner: JobRunner) -> float:
        """Runs a job if it is due. Returns the seconds until the next check."""
        run, due = self._run(runner, at_once=False)
        every = runner.job.every
        if run.outcome == "busy":
            # Whoever has it may take any time, or die: then it is ours.
            due = max(due, every / 4)
        late = random.uniform(0, min(JITTER * every, LONGEST_JITTER))
        return min(max(due, SHORTEST_WAIT), LONGEST_WAIT) + late

    def _run(self, runner: JobRunner, *, at_once: bool) -> tuple[JobRun, float]:
        run, wait = runner.run(at_once=at_once)
        _log(run, self.name)
        if self._report is not None:
            self._report(run)
        return run, wait


def _log(run: JobRun, worker: str) -> None:
    said = {"worker": worker, **run._asdict()}
    if failed(run):
        _LOGGER.error("job %s %s: %s", run.job, run.outcome, run.error, extra=said)
    elif run.outcome in ("done", "stopped"):
        _LOGGER.info("job %s %s", run.job, run.outcome, extra=said)
    else:
        _LOGGER.debug("job %s: %s", run.job, run.outcome, extra=said)
