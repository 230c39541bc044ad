"""No text takes more than its share of time: every expression is bounded, and so is what is read."""

import re
from importlib import import_module
from re import _constants, _parser
from typing import Any

import pytest

from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import stated_decisions
from backstory.domain.entities.entities import extract
from backstory.domain.messages.signals import signals
from backstory.domain.text.markdown import READ
from backstory.domain.text.pattern import _Uncompiled

MODULES = (
    "entities.concepts",
    "decisions.cue_patterns",
    "decisions.cues",
    "entities.entities",
    "entities.lexicon",
    "decisions.memory_requests",
    "decisions.rationales",
    "decisions.statements",
    "entities.names",
    "entities.tagged_words",
    "entities.word_kinds",
    "messages.signals",
    "text.markdown",
    "text.sentences",
    "entities.words",
)
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
MEGABYTE = 1_000_000
PIECES = [
    "a", " ", "_", "/", "`", '"', "@", "(", "a.", "a/", "a_", "A", "aA", "let's use ", "we decided to ", "x@", "> ",
    "```\n", "- ", "use ", "\n", "because ", "HTTP ", "/etc/a", "\\", "C:\\", "http://", "1", "İ", "👍", "\x00",
    "since a, ", "ok ", "ok, so ", "the a ", "remember ", "no error ", "so it is ", "“", "a-", "a(", "a()",
]  # fmt: skip


def _patterns() -> dict[str, re.Pattern[str]]:
    found = {}
    for name in MODULES:
        module = import_module(f"backstory.domain.{name}")
        for attribute, value in vars(module).items():
            if isinstance(value, re.Pattern | _Uncompiled):
                found[f"{name}.{attribute}"] = re.compile(value.pattern, value.flags)
    return found


PATTERNS = _patterns()


def _repeats(parsed: Any) -> list[int]:
    """The upper bounds of all repetitions in a parsed expression."""
    found: list[int] = []
    for operation, argument in parsed:
        if operation in REPEATS:
            found += [argument[1], *_repeats(argument[2])]
        elif operation is _constants.SUBPATTERN:
            found += _repeats(argument[3])
        elif operation is _constants.BRANCH:
            found += [bound for branch in argument[1] for bound in _repeats(branch)]
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            found += _repeats(argument[1])
    return found


def test_the_expressions_are_all_found() -> None:
    assert len(PATTERNS) > 40


@pytest.mark.parametrize("name", PATTERNS)
def test_every_repetition_has_a_bound(name: str) -> None:
    bounds = _repeats(_parser.parse(PATTERNS[name].pattern, PATTERNS[name].flags))
    assert all(bound <= 2000 for bound in bounds)


@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_of_anything_reads_as_its_beginning(piece: str) -> None:
    text = (piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]
    beginning = text[:READ]
    assert extract(text) == extract(beginning)
    assert stated_decisions(text, "user") == stated_decisions(beginning, "user")
    assert asks_to_remember(text) == asks_to_remember(beginning)
    assert signals(text, "user") == signals(beginning, "user")


def test_found_places_lie_in_the_text() -> None:
    for piece in PIECES:
        text = f"{piece}Let's use {piece} because {piece}. " * 20
        for found in stated_decisions(text, "user"):
            assert " ".join(text[found.start : found.end].split()) == found.text
