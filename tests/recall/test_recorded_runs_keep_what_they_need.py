"""A window of 8,000 tokens saves most of the tokens of recorded runs and holds what the answers use."""

from pathlib import Path

import pytest

from backstory import ContextStore
from backstory.application.evaluation.recall_gate import Policies, check_policies
from backstory.application.evaluation.recording import recording_of
from benchmarks.generated import Generator

RUNS = Path(__file__).parents[3] / "shared" / "data" / "openhands-runs.jsonl"


@pytest.mark.slow
def test_recorded_runs(store: ContextStore) -> None:
    if not RUNS.exists():
        pytest.skip(f"needs the recorded runs, {RUNS.name}, beside the repository")
    recordings = [recording_of(store.session(done.session)) for done in store.import_file(RUNS)]
    (checked,) = check_policies(recordings, [Policies("default")], limit=8_000)
    assert checked.calls == 105
    assert checked.saved >= 0.60
    assert (checked.shares["all"] or 0) >= 0.90
    assert checked.most_tokens <= 8_000
    assert checked.ok


def test_a_made_up_session_is_the_same_each_time() -> None:
    one, other = (Generator(3, 60).recording("x") for _ in range(2))
    assert one == other
    assert Generator(4, 60).recording("x") != one
    assert sum(action.message is not None for action in one.actions) >= 60
    assert one.calls > 20
