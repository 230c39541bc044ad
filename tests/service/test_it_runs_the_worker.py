"""`serve` runs the scheduled jobs beside the API, unless a worker of its own does."""

from collections.abc import Callable
from typing import Any

import httpx

from tests.program import serving
from tests.waiting import until


def runs(url: str) -> list[Any]:
    found: list[Any] = httpx.get(f"{url}/api/v1/job-runs", timeout=60).raise_for_status().json()["runs"]
    return found


def test_another_process_may_have_the_worker(new_database: Callable[[], str]) -> None:
    database = new_database()
    with serving(database, "--no-worker") as api:
        # Another service on the same database has the worker, and what it does is seen here.
        assert not runs(api.url)
        with serving(database, "--no-page"):
            assert until(lambda: runs(api.url))
