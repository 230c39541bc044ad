"""The run of a job: under its lock, recorded in the history, and cut when it takes too long or has to stop."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from backstory.application.bootstrap import make_runtime
from backstory.application.jobs import history
from backstory.application.jobs.jobs import Job, JobContext, Stopping
from backstory.application.operations.redaction import reason_of
from backstory.domain.errors import OutcomeUnknown, Unavailable
from backstory.infrastructure.observability.watchers import watching
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.job_connections import JobDatabase
from backstory.infrastructure.postgres.locks import JobLock

if TYPE_CHECKING:
    from backstory.application.store import ContextStore

Outcome = Literal["done", "failed", "timed out", "stopped", "busy", "not due"]

LOOKS = 1.0
"""Seconds between two checks of the job's lock."""
CANCEL_GRACE = 5.0
"""Seconds that a job has to end after it is cut."""
CUT_AGAIN = 0.1
"""Seconds between two cancellations of a job that is cut: it may have begun another statement."""
LONGEST_OUTAGE = 30.0
"""Seconds between two attempts at most while the database cannot be reached."""
NEARLY = 0.7
"""The share of the time limit after which a job that can continue next time should end."""

LOST = "the connection that held the job's lock was lost"

_CUT = object()
_LOGGER = logging.getLogger("backstory.worker")


class JobRun(NamedTuple):
    """A run of a job: its outcome, the number of changed sessions or the error. `busy`: another worker is running it.
    `not due`: it was done lately."""

    job: str
    started_at: datetime
    seconds: float
    outcome: Outcome
    changed: int | None = None
    error: str | None = None


class JobResult(NamedTuple):
    run: JobRun
    wait: float
    """Seconds until the job is due again."""


class JobCut(Unavailable):
    """The job's connections were cut."""


class JobRunner:
    """Runs one job, one run at a time."""

    def __init__(self, store: "ContextStore", job: Job, worker: str, history: Callable[[], Database]) -> None:
        self.job = job
        self._store = store
        self._history = history
        self._worker = worker
        self._own: tuple[JobDatabase, ContextStore] | None = None
        self._outages = 0
        self._stopping = threading.Event()
        self._told: queue.SimpleQueue[object] = queue.SimpleQueue()

    def stop(self) -> None:
        """Asks the run under way to end after its batch. No other begins."""
        self._stopping.set()

    def cut(self) -> None:
        """Ends the run under way now."""
        self._stopping.set()
        self._told.put(_CUT)

    def close(self) -> None:
        """Gives back the job's connections."""
        if self._own is not None:
            self._own[0].close()
            self._own = None

    def run(self, *, at_once: bool = False) -> JobResult:
        """Runs the job if it is due, or at once. Errors are part of the result."""
        started, clock = datetime.now(UTC), time.monotonic()
        ended: JobResult | None = None
        try:
            database = self._history()
            with database.guarding(self.job.name) as lock:
                if lock is None:
                    wait = history.seconds_until_due(database, self.job.name, self.job.every)
                    ended = JobResult(JobRun(self.job.name, started, 0.0, "busy"), wait)
                else:
                    ended = self._guarded(database, lock, at_once)
        except Exception as error:
            # Anything may fail here, and the worker goes on: the reason is part of the result, or logged.
            lost = isinstance(error, OutcomeUnknown)
            why = LOST if lost else reason_of(error, self._store._runtime.database.url)
            if ended is not None:
                _LOGGER.warning("job %s ended, and then its lock failed: %s", self.job.name, why)
                return ended
            took = time.monotonic() - clock
            ended = JobResult(JobRun(self.job.name, started, took, "failed", None, why), self._outage_wait())
            with watching("job", job=self.job.name) as facts:
                facts["outcome"] = "failed"
        else:
            self._outages = 0
        return ended

    def _outage_wait(self) -> float:
        """Seconds to wait while the history cannot be reached. Doubles each time."""
        self._outages += 1
        return min(LONGEST_OUTAGE, 0.5 * 2.0 ** min(self._outages, 10))

    def _guarded(self, database: Database, lock: JobLock, at_once: bool) -> JobResult:
        begun = history.begin(database, self.job.name, self._worker, self.job.every, at_once=at_once)
        if begun.run is None or begun.started_at is None:
            return JobResult(JobRun(self.job.name, datetime.now(UTC), 0.0, "not due"), begun.wait)
        clock = time.monotonic()
        marks: list[str] = []
        with watching("job", job=self.job.name) as found:
            outcome, changed, error = self._work(lock, begun.mark, marks.append)
            found["outcome"], found["changed"] = outcome, changed
        took = time.monotonic() - clock
        mark = marks[-1] if marks else begun.mark
        wait = history.end(database, self.job.name, begun.run, outcome, changed, error, mark)
        return JobResult(JobRun(self.job.name, begun.started_at, took, outcome, changed, error), wait)

    def _work(
        self, lock: JobLock, mark: str | None, leave: Callable[[str], None]
    ) -> tuple[Outcome, int | None, str | None]:
        """Runs the job on a thread of its own, and watches it."""
        deadline = time.monotonic() + self.job.limit
        try:
            own = self._connections()
        except Exception as error:
            return "failed", None, reason_of(error, self._store._runtime.database.url)
        context = JobContext(
            own[1],
            self.job.every,
            self._pause,
            lambda: time.monotonic() > deadline - (1 - NEARLY) * self.job.limit,
            mark,
            leave,
        )
        attempt = _Attempt(self.job.work, context, self._told)
        cut = self._watch(attempt, lock, deadline)
        if cut is not None:
            self._let_go(attempt, own[0], cut[1])
            return cut[0], None, cut[1]
        if isinstance(attempt.error, Stopping):
            return "stopped", None, None
        if attempt.error is not None:
            return "failed", None, reason_of(attempt.error, self._store._runtime.database.url)
        return "done", attempt.changed, None

    def _watch(self, attempt: "_Attempt", lock: JobLock, deadline: float) -> tuple[Outcome, str] | None:
        """Waits for the job to end. Returns the outcome and reason if it has to be cut."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return "timed out", f"took longer than {self.job.limit:g} s"
            try:
                told = self._told.get(timeout=min(left, LOOKS))
            except queue.Empty:
                if lock.lost:
                    return "failed", LOST
                continue
            if told is attempt:
                return None
            if told is _CUT:
                return "stopped", "cut, since the worker had to stop"

    def _let_go(self, attempt: "_Attempt", database: JobDatabase, why: str) -> None:
        """Cuts the job. If it does not react, its connections are closed and the thread is left alone."""
        self._own = None
        deadline = time.monotonic() + CANCEL_GRACE
        while not attempt.ended.is_set() and time.monotonic() < deadline:
            database.cut(JobCut(f"the job {self.job.name} was cut: {why}."))
            attempt.ended.wait(CUT_AGAIN)
        if not attempt.ended.is_set():
            database.hang_up()
            _LOGGER.error("job %s does not end: left to itself without connections", self.job.name)
        database.close()

    def _pause(self) -> None:
        if self._stopping.is_set():
            raise Stopping

    def _connections(self) -> "tuple[JobDatabase, ContextStore]":
        """The job's own connections, kept from one run to the next."""
        from backstory.application.store import ContextStore

        if self._own is None:
            runtime = self._store._runtime
            database = JobDatabase(
                runtime.database.url,
                limit=self.job.limit,
                patience=runtime.database.patience,
                revive=runtime.database.revive,
            )
            database.open()
            own = make_runtime(database, summarizer=runtime.summarizer, on_alert=runtime.on_alert)
            self._own = (database, ContextStore(own))
        return self._own


class _Attempt:
    """The job's function on a daemon thread, so that a hanging job does not keep the process from ending."""

    def __init__(
        self, work: Callable[[JobContext], int], context: JobContext, told: "queue.SimpleQueue[object]"
    ) -> None:
        self.changed: int | None = None
        self.error: BaseException | None = None
        self.ended = threading.Event()
        self._work, self._context, self._told = work, context, told
        # With the context of who waits for it, so that what it does belongs to the same trace.
        run = partial(copy_context().run, self._run)
        threading.Thread(target=run, name="backstory-job", daemon=True).start()

    def _run(self) -> None:
        try:
            self.changed = int(self._work(self._context))
        except Exception as error:
            self.error = error
        finally:
            self.ended.set()
            self._told.put(self)


def failed(run: JobRun) -> bool:
    return run.outcome in ("failed", "timed out")
