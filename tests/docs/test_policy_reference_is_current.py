"""docs/reference/policies.md says what the code says: every number, and why it is that."""

from dataclasses import fields
from pathlib import Path

import pytest

from scripts.reference_events import meanings_of
from scripts.reference_policies import PAGE, POLICIES, meaning_and_reason, render

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_code_says() -> None:
    assert (ROOT / PAGE).read_text() == render(), "run `make docs`"


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
def test_every_default_has_a_meaning_and_a_reason(policy: type) -> None:
    told = meanings_of(policy)
    assert set(told) >= {field.name for field in fields(policy)}
    without = [field.name for field in fields(policy) if not all(meaning_and_reason(told[field.name]))]
    assert without == [], "say `Why: …` below them"


def test_every_policy_is_on_it() -> None:
    """Whoever adds a policy adds it here."""
    found = {
        line.split()[1].rstrip(":(")
        for file in (ROOT / "domain" / "policies").glob("*.py")
        for line in file.read_text().splitlines()
        if line.startswith("class ") and "Policy" in line
    }
    assert found == {policy.__name__ for policy in POLICIES}
