"""Jobs that a test steers, and their history."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from backstory.application.jobs.jobs import Job, JobContext
from backstory.application.jobs.worker import Worker


@pytest.fixture
def superuser(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


def job(name: str, work: Callable[[JobContext], int], every: float = 3600, limit: float = 600) -> Job:
    return Job(name, "a test's", every, limit, work)


def came_of(worker: Worker) -> list[str]:
    """What came of one look at each job."""
    try:
        return [worker._run(runner, at_once=False)[0].outcome for runner in worker._runners]
    finally:
        worker._close()


def outcomes(connection: psycopg.Connection[Any], name: str) -> list[str | None]:
    """What came of each run of a job, oldest first."""
    rows = connection.execute("select outcome from backstory.job_runs where job = %s order by run", (name,))
    return [outcome for (outcome,) in rows]


def age(connection: psycopg.Connection[Any], seconds: float) -> None:
    """Lets the whole history be so much older, as if that time had passed."""
    connection.execute(
        "update backstory.job_runs set started_at = started_at - make_interval(secs => %(by)s), "
        "ended_at = ended_at - make_interval(secs => %(by)s)",
        {"by": seconds},
    )
