"""The fields of an event change only together with its schema version.

`schemas.json` has the fingerprint of every schema that was ever written to a log. To change an event's
fields, raise its `schema_version`, give the step from the version before in `upcasters`, and add the line
that this test asks for.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from backstory import EventBody
from backstory.domain.effects import Effects
from backstory.domain.events import BODIES
from backstory.domain.values import Value

GOLDEN: dict[str, str] = json.loads((Path(__file__).parent / "schemas.json").read_text())
OWN = {name: body for name, body in BODIES.items() if body.__module__.startswith("backstory.")}


def fingerprint(model: type[Value]) -> str:
    """A hash of what a stored payload may hold. Words about fields are not part of it."""
    schema = _without_words(model.model_json_schema())
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:16]


def _without_words(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: {name: _without_words(field) for name, field in value.items()}
            if key in ("properties", "$defs")
            else _without_words(value)
            for key, value in schema.items()
            if key not in ("title", "description")
        }
    return [_without_words(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", OWN)
def test_the_schema_is_the_one_that_was_written(name: str) -> None:
    body = OWN[name]
    key = f"{name}@{body.schema_version}"
    found = fingerprint(body)
    assert key in GOLDEN, f'add to schemas.json: "{key}": "{found}"'
    assert GOLDEN[key] == found, f"the fields of {name} changed: raise its schema_version"


def test_no_schema_is_forgotten() -> None:
    """A type that is gone, or a version above the current one, would leave stored events without a reader."""
    for key in GOLDEN:
        name, version = key.split("@")
        if name != "effects":
            assert name in OWN
            assert int(version) <= OWN[name].schema_version


def test_effects_are_what_was_written() -> None:
    """They have no version of their own: a verb may be added, and none may change. When one was added, the
    line in schemas.json is replaced."""
    assert GOLDEN["effects@1"] == fingerprint(Effects), f"effects are now {fingerprint(Effects)}"


class TestFingerprints:
    def test_another_field_another_fingerprint(self) -> None:
        class First(EventBody):
            """Said one way."""

            service: str

        class Described(EventBody):
            """Said another way."""

            service: str
            """What was deployed."""

        class Optional(EventBody):
            service: str | None = None

        class Renamed(EventBody):
            name: str

        class Titled(EventBody):
            service: str
            title: str

        prints = [fingerprint(model) for model in (First, Optional, Renamed, Titled)]
        assert len(set(prints)) == 4
        assert fingerprint(Described) == fingerprint(First)

    def test_what_a_field_is_made_of_counts(self) -> None:
        class Inner(Value):
            size: int

        class Body(EventBody):
            schema_version: ClassVar[int] = 1
            inner: Inner

        before = fingerprint(Body)

        class Inner(Value):  # type: ignore[no-redef]
            size: int
            colour: str = "red"

        class Body(EventBody):  # type: ignore[no-redef]
            inner: Inner

        assert fingerprint(Body) != before
