"""`policy check` tells what a policy would have left in context, and ends with 4 below the floor."""

import json
from pathlib import Path

import pytest

from backstory import ContextStore, Session
from tests.cli.conftest import Cli
from tests.traces import watching


@pytest.fixture
def worked(store: ContextStore) -> Session:
    """A session whose last answer uses a name from the first of many results."""
    session = store.start(title="Find it", limit=32_000)
    session.message("Find the bug.")
    for number in range(12):
        session.tool_call("read", {"path": f"src/part_{number}.py"}, call_id=f"call_{number}", text="I read.")
        session.tool_result(f"call_{number}", f"value make_part_{number} = 1\n" + "plain words here\n" * 40)
    session.message("I change make_part_0 in src/part_11.py.", role="agent")
    return session


def test_what_is_told(cli: Cli, worked: Session, url: str, tmp_path: Path) -> None:
    with watching(url) as traces:
        before, streams = traces.of(worked.id), traces.streams()
        small = tmp_path / "small.json"
        small.write_text('{"budget": 1500}')
        outcome = cli("policy", "check", worked.id, "--policy", "default", "--policy", small, "--json")
        assert (traces.of(worked.id), traces.streams()) == (before, streams)
    found = {one["policy"]: one for one in outcome.documents}
    assert list(found) == ["default", "small"]
    assert found["default"]["calls"] == 13
    assert found["default"]["held"]["all"] == 1
    assert found["small"]["saved"] > found["default"]["saved"]
    assert found["small"]["uses"] == found["default"]["uses"] == 2


def test_a_policy_below_the_floor_is_a_failure(cli: Cli, worked: Session, tmp_path: Path) -> None:
    forgetful = tmp_path / "forgetful.json"
    forgetful.write_text(
        json.dumps(
            {
                "window": {"stubs_from": 0.01, "stub_results_older_than": 1, "stub_step": 1},
                "budget": 500,
                "context": {"least_importance": 1.0, "history_kept": 0, "older_candidates": 0},
                "summary": None,
            }
        )
    )
    outcome = cli("policy", "check", worked.id, "--policy", forgetful, "--floor", "0.95")
    assert outcome.code == 4
    assert "forgetful" in outcome.err
    assert "below 95%" in outcome.out
    assert cli("policy", "check", worked.id, "--policy", forgetful, "--floor", "0").code == 0


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("{", "policy"),
        ("[]", "policy"),
        ('{"windows": {}}', "windows"),
        ('{"window": {"stub": 1}}', "policy.window"),
        ('{"window": {"stubs_from": 7}}', "stubs_from"),
        ('{"budget": 0}', "policy.budget"),
    ],
)
def test_policies_that_are_none(cli: Cli, worked: Session, tmp_path: Path, said: str, names: str) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(said)
    outcome = cli("policy", "check", worked.id, "--policy", file, "--json")
    assert outcome.code == 2
    assert names in outcome.error["message"]


def test_what_cannot_be_checked(cli: Cli, store: ContextStore, worked: Session) -> None:
    assert cli("policy", "check").code == 2
    assert cli("policy", "check", store.start().id).code == 2
    assert cli("policy", "check", worked.id, "--policy", "unheard-of").code == 2
    assert cli("policy", "check", worked.id, "--floor", "2").code == 2
    assert cli("policy", "check", worked.id, "--every", "0").code == 2
