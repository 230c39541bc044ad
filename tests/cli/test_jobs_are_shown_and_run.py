"""`backstory jobs`: how they stand, what they did, and doing one now."""

from collections.abc import Callable

import pytest

from backstory.application.jobs.jobs import JOBS
from backstory.infrastructure.postgres.database import Database
from tests.cli.conftest import Cli

NAMES = [job.name for job in JOBS]


@pytest.fixture
def fresh(cli: Cli, new_database: Callable[[], str]) -> Cli:
    """The command line on a database where no worker has run."""
    database = new_database()
    return lambda *words: cli("--url", database, *words)


def test_jobs_that_never_ran_are_due(fresh: Cli) -> None:
    found = fresh("jobs", "--json").documents
    assert [job["job"] for job in found] == NAMES
    assert all((job["run"], job["failures"], job["outcome"]) == (None, 0, None) for job in found)
    assert fresh("jobs").out.count("never") == len(NAMES)
    assert fresh("jobs", "history").out == "no worker has run yet\n"


def test_one_is_run_and_remembered(fresh: Cli) -> None:
    done = fresh("jobs", "run", "tiers", "--json").document
    assert (done["job"], done["outcome"], done["changed"]) == ("tiers", "done", 0)
    assert "tiers: nothing to change" in fresh("jobs", "run", "tiers").out
    (first, second) = fresh("jobs", "history", "tiers", "--json").documents
    assert (first["run"], second["run"], first["outcome"]) == (2, 1, "done")
    listed = fresh("jobs", "list", "--json").documents
    assert [(job["job"], job["run"]) for job in listed if job["run"]] == [("tiers", 2)]
    assert "  in " in fresh("jobs").out
    assert "done" in fresh("jobs", "history").out


def test_one_that_a_worker_has_is_left_to_it(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()
    database = Database(url)
    database.open()
    with database.guarding("tiers") as lock:
        assert lock is not None
        busy = cli("--url", url, "jobs", "run", "tiers")
        assert (busy.code, busy.err) == (1, "error: tiers: a worker is running it\n")
        assert cli("--url", url, "jobs", "run", "tiers", "--json").document["outcome"] == "busy"
    database.close()


@pytest.mark.parametrize("words", [["run", "nonsense"], ["history", "nonsense"], ["history", "--limit", "0"]])
def test_what_is_no_job_is_refused(cli: Cli, words: list[str]) -> None:
    refused = cli("jobs", *words, "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")


@pytest.mark.parametrize(
    "words", [["--every", "tiers"], ["--every", "x=1"], ["--limit", "tiers=-1"], ["--grace", "-1"]]
)
def test_what_a_worker_cannot_go_by_is_refused(cli: Cli, words: list[str]) -> None:
    refused = cli("worker", *words, "--once", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")
