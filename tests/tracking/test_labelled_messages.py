"""The labelled set is sound, and the rules stay as good on it as they were."""

from collections import Counter

import pytest

from backstory.domain.entities.entities import KINDS
from benchmarks.noticing import alike, labelled, scores

ROWS = [*labelled("dev"), *labelled("held")]
FLOORS = {
    "decisions": (0.95, 0.4),
    "rationales": (0.95, 0.4),
    "remember": (0.95, 0.9),
    "entities: file": (0.95, 0.95),
    "entities: function": (0.9, 0.95),
    "entities: class": (0.9, 0.9),
    "entities: technology": (0.95, 0.95),
    "entities: person": (0.95, 0.95),
    "entities: url": (0.95, 0.95),
    "entities: error": (0.95, 0.95),
    "entities: concept": (0.75, 0.85),
}
"""Precision and recall that no change may fall below, a little under what was measured."""


def test_it_is_large_and_mixed() -> None:
    assert len(ROWS) >= 150
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert min(Counter(row["split"] for row in ROWS).values()) >= 60
    assert {row["role"] for row in ROWS} == {"user", "agent", "system"}
    assert sum("entities" in row for row in ROWS) >= 60
    assert sum(bool(row["decisions"]) for row in ROWS) >= 60
    assert sum(not row["decisions"] for row in ROWS) >= 60


def test_each_label_stands_in_its_text() -> None:
    for row in ROWS:
        text = " ".join(row["text"].split())
        for decision, rationale in row["decisions"]:
            assert decision in text
            assert rationale is None or rationale in text
        assert isinstance(row["remember"], bool)
        assert {kind for kind, _ in row.get("entities", ())} <= set(KINDS)


@pytest.mark.parametrize("what", FLOORS)
def test_the_rules_keep_their_floor(what: str) -> None:
    score = scores(labelled("dev"))[what]
    precision, recall = FLOORS[what]
    assert score.precision >= precision
    assert score.recall >= recall


def test_statements_are_compared_by_their_words() -> None:
    assert alike("use RS256", "Use `RS256`.") == 1
    assert alike("use RS256", "drop it") == 0
