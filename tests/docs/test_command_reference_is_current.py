"""docs/reference/commands.md says what the table of commands says."""

from pathlib import Path

import pytest

from backstory.domain.context_document.commands import OFFERS, RULES, Offer
from scripts import docs
from scripts.reference_commands import PAGE, render

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_code_says() -> None:
    assert (ROOT / PAGE).read_text() == render(), "run `make docs`"
    assert "scripts.reference_commands" in docs.TEXTS


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.command)
def test_every_command_is_on_it_with_when_it_is_there(offer: Offer) -> None:
    row = f"| `{offer.usage}` | {offer.description} | {RULES[offer.availability].words} |"
    assert row in (ROOT / PAGE).read_text().splitlines()
