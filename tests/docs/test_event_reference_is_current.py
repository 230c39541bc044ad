"""docs/reference/events.md says what the code says: every event, every field, every meaning."""

from pathlib import Path

import pytest

from backstory.domain.effects import Effects
from backstory.domain.events import BODIES
from backstory.domain.log.references import ContentRef, PartRef
from scripts.reference_events import PAGE, VERBS, meanings_of, render

ROOT = Path(__file__).parents[2]
RENDERED = render()
OWN = [body for body in BODIES.values() if body.__module__.startswith("backstory.")]


def test_the_page_is_what_the_code_says() -> None:
    assert (ROOT / PAGE).read_text() == RENDERED, "run `make docs`"


@pytest.mark.parametrize(
    "model", [*OWN, *VERBS.values(), ContentRef, PartRef], ids=lambda model: model.__name__
)
def test_every_field_has_a_meaning(model: type) -> None:
    assert set(meanings_of(model)) >= set(model.model_fields)  # type: ignore[attr-defined]
    assert model.__doc__


@pytest.mark.parametrize("body", OWN, ids=lambda body: body.type)
def test_every_event_is_on_it(body: type) -> None:
    assert f"### `{body.type}`" in RENDERED  # type: ignore[attr-defined]


def test_every_verb_that_an_event_declares_exists() -> None:
    assert {verb for body in OWN for verb in body.verbs} <= set(Effects.model_fields)


def test_every_verb_is_explained() -> None:
    assert all(f"\n| {verb}" in RENDERED for verb in Effects.model_fields)
