"""The history of scheduled jobs, in the database, so that workers on several machines share it."""

from datetime import datetime
from typing import NamedTuple

from backstory.domain.values import LARGEST, whole_number
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query


class Begun(NamedTuple):
    """A run that has begun, or the seconds until the job is due."""

    run: int | None
    started_at: datetime | None
    wait: float
    mark: str | None = None
    """The mark that the last successful run left."""


class RecordedRun(NamedTuple):
    """A run of a job in the history. Without an end it is running, or its worker has just died."""

    job: str
    run: int
    worker: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str | None
    """done, failed, timed out, stopped, or lost: its worker ended before it did."""
    changed: int | None
    error: str | None


class JobState(NamedTuple):
    """The status of a job, by the database's clock."""

    job: str
    run: int | None
    worker: str | None
    started_at: datetime | None
    ended_at: datetime | None
    outcome: str | None
    changed: int | None
    error: str | None
    failures: int
    """Failed runs since the last successful one."""
    last_done: datetime | None
    """The start of the last successful run."""
    due_at: datetime
    """The time of its next run. It may be past until a worker takes it."""
    every: float
    """Seconds between two runs."""
    now: datetime


def begin(database: Database, job: str, worker: str, every: float, *, at_once: bool) -> Begun:
    """Begins a run if the job is due or has to run at once. The caller holds the job's lock."""
    asked = {"job": job, "worker": worker, "every": every, "at_once": at_once}
    return database.repeat(
        # Repeated after a lost connection, the run that was begun counts as lost, and another one begins.
        lambda c: Begun._make(c.execute(query("begin_job"), asked).fetchone() or (None, None, every)),
        certain=True,
    )


def end(
    database: Database,
    job: str,
    run: int,
    outcome: str,
    changed: int | None,
    error: str | None,
    mark: str | None = None,
) -> float:
    """Records the end of a run. Returns the seconds until the next one is due."""
    asked = {"job": job, "run": run, "outcome": outcome, "changed": changed, "error": error, "mark": mark}
    row = database.repeat(lambda c: c.execute(query("end_job"), asked).fetchone(), certain=True)
    return float(row[0]) if row and row[0] is not None else 0.0


def seconds_until_due(database: Database, job: str, every: float) -> float:
    """Seconds until a job is due that another worker is running."""
    row = database.read(lambda c: c.execute(query("job_wait"), {"job": job, "every": every}).fetchone())
    return float(row[0]) if row else 0.0


def states(database: Database, every: dict[str, float]) -> list[JobState]:
    """The status of these jobs, given their intervals."""
    asked = {"jobs": list(every), "every": list(every.values())}
    rows = database.read(lambda c: c.execute(query("job_states"), asked).fetchall())
    return [JobState._make(row) for row in rows]


def runs(database: Database, job: str | None, limit: int) -> list[RecordedRun]:
    """The newest runs, newest first: of a job, or of all."""
    whole_number("limit", limit, minimum=1, maximum=LARGEST)
    asked = {"job": job, "limit": limit}
    rows = database.read(lambda c: c.execute(query("job_runs"), asked).fetchall())
    return [RecordedRun._make(row) for row in rows]
