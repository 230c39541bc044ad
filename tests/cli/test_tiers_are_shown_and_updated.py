"""`backstory tiers` and `backstory worker`."""

import signal
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from backstory.application.jobs.jobs import JOBS
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli, running

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)


@pytest.fixture
def session(store: ContextStore):
    session = store.start()
    session.occurred(NOON).items.save("code", "def f(): ...", importance=0.9)
    session.occurred(NOON).by("coder").items.save("note", "mine alone", importance=0.9)
    return session


def test_a_list_has_its_keys_and_no_private_item(cli: Cli, session) -> None:
    (found,) = cli("tiers", "list", session.id, "--json").documents
    assert (found["item"], found["type"], found["tier"], found["live"]) == (2, "code", "HOT", True)
    assert session.state.items[2].accesses == 0


def test_an_agent_sees_its_own(cli: Cli, session) -> None:
    seen = cli("tiers", "list", session.id, "--agent", "coder", "--json").documents
    assert [item["item"] for item in seen] == [2, 3]
    assert "mine alone" not in cli("tiers", "list", session.id).out
    assert "(private)" in cli("tiers", "list", session.id, "--agent", "coder").out


def test_a_tier_is_picked(cli: Cli, session) -> None:
    assert cli("tiers", "list", session.id, "--tier", "COLD", "--json").documents == []
    assert "no items" in cli("tiers", "list", session.id, "--tier", "COLD").out
    refused = cli("tiers", "list", session.id, "--tier", "TEPID", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")


def test_what_has_left_is_listed_on_demand(cli: Cli, session) -> None:
    session.items.remove(2)
    assert cli("tiers", "list", session.id, "--json").documents == []
    (found,) = cli("tiers", "list", session.id, "--all", "--json").documents
    assert found["live"] is False


def test_they_are_counted_with_what_is_stored(cli: Cli, session) -> None:
    session.items.remove(2)
    found = cli("tiers", "stats", session.id, "--json").document
    assert (found["total_items"], found["hot_count"], found["stored_items"]) == (1, 1, 1)
    assert found["hot_tokens"] == found["total_tokens"] == found["stored_tokens"] > 0
    assert cli("tiers", "stats", session.id, "--agent", "coder", "--json").document["total_items"] == 2
    assert "of these stored" in cli("tiers", "stats", session.id).out


def test_one_session_is_updated(cli: Cli, session) -> None:
    later = NOON + timedelta(days=1)
    found = cli("tiers", "update", session.id, "--as-of", later.isoformat(), "--json").document
    assert (found["moved"], found["updated"]) == (2, 1)
    assert datetime.fromisoformat(found["as_of"]) == later
    assert "0 items moved" in cli("tiers", "update", session.id, "--as-of", later).out


def test_every_session_is_updated(cli: Cli, session) -> None:
    found = cli("tiers", "update", "--as-of", (NOON + timedelta(days=1)).isoformat(), "--json").document
    assert found["moved"] >= 2
    assert session.state.items[2].tier == "WARM"


@pytest.mark.parametrize("as_of", ["soon", "2026-11-09T12:00:00"])
def test_a_moment_that_is_none_is_refused(cli: Cli, session, as_of: str) -> None:
    refused = cli("tiers", "update", session.id, "--as-of", as_of, "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")
    assert "as_of" in refused.error["message"]


def test_a_worker_does_each_job_once(cli: Cli, session) -> None:
    runs = cli("worker", "--once", "--json").documents
    assert [run["job"] for run in runs] == [job.name for job in JOBS]
    assert all(run["error"] is None for run in runs)


def test_an_interval_of_nothing_is_refused(cli: Cli) -> None:
    refused = cli("worker", "--tiers-every", "0", "--json")
    assert (refused.code, refused.error["code"]) == (2, "invalid-input")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_when_it_is_told_to(environment: dict[str, str], number: signal.Signals) -> None:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running("worker", "--json", env=environment, **streams) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"job"')
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
