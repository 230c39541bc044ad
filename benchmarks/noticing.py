"""How well decisions, wishes to remember and entities are noticed, on a labelled set: precision and recall.

`data/noticing.jsonl` holds the messages. The rules were tuned on those marked `dev`; what they make of one marked
`held` was never looked at, only the sums. The same hand wrote rules and messages: take the numbers for a ceiling.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backstory.domain.decisions.memory_requests import asks_to_remember
from backstory.domain.decisions.statements import stated_decisions
from backstory.domain.entities.entities import KINDS, extract
from benchmarks.goals import Row

DATA = Path(__file__).parent / "data" / "noticing.jsonl"
ALIKE = 0.5
"""Two statements are the same when the harmonic mean of the shares of words they have in common reaches this."""


class Score(NamedTuple):
    """What was found rightly, found wrongly and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def labelled(split: str) -> list[dict[str, Any]]:
    """The messages of one split, "dev" or "held"."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["split"] == split]


def scores(rows: Iterable[dict[str, Any]]) -> dict[str, Score]:
    """The score of each thing that is noticed, entities by kind."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        for what, outcome in _outcomes(row):
            counts.setdefault(what, Counter())[outcome] += 1
    order = ["decisions", "rationales", "remember", *(f"entities: {kind}" for kind in KINDS)]
    return {
        what: Score(found["right"], found["wrong"], found["missed"])
        for what in order
        if (found := counts.get(what)) is not None
    }


def _outcomes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    yield from _decision_outcomes(row)
    found = asks_to_remember(row["text"])
    if found or row["remember"]:
        yield "remember", "right" if found and row["remember"] else "wrong" if found else "missed"
    if "entities" in row:
        yield from _entity_outcomes(row)


def _decision_outcomes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """Each found decision is held against the labelled one it is most like. A rationale counts with its decision."""
    left = [(text, why) for text, why in row["decisions"]]
    for found in stated_decisions(row["text"], row["role"]):
        best = max(left, key=lambda label: alike(found.text, label[0]), default=None)
        if best is None or alike(found.text, best[0]) < ALIKE:
            yield "decisions", "wrong"
            if found.rationale is not None:
                yield "rationales", "wrong"
            continue
        left.remove(best)
        yield "decisions", "right"
        why = best[1]
        if found.rationale is not None and why is not None and alike(found.rationale, why) >= ALIKE:
            yield "rationales", "right"
        else:
            if found.rationale is not None:
                yield "rationales", "wrong"
            if why is not None:
                yield "rationales", "missed"
    for _, why in left:
        yield "decisions", "missed"
        if why is not None:
            yield "rationales", "missed"


def _entity_outcomes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    found = {(mention.kind, mention.name.lower()) for mention in extract(row["text"])}
    wanted = {(kind, name.lower()) for kind, name in row["entities"]}
    for kind, _ in found & wanted:
        yield f"entities: {kind}", "right"
    for kind, _ in found - wanted:
        yield f"entities: {kind}", "wrong"
    for kind, _ in wanted - found:
        yield f"entities: {kind}", "missed"


def alike(one: str, other: str) -> float:
    """How much two statements have in common, 0 to 1."""
    ours, theirs = _words(one), _words(other)
    shared = sum((ours & theirs).values())
    return 2 * shared / max(1, ours.total() + theirs.total())


def _words(text: str) -> Counter[str]:
    return Counter(word.strip("`.,:;!?()\"'*").lower() for word in text.split())


def noticing_rows() -> Iterator[Row]:
    """A row for each thing: precision and recall on the messages the rules were tuned on, and on those held out."""
    dev, held = (scores(labelled(split)) for split in ("dev", "held"))
    for what in dict.fromkeys((*dev, *held)):
        told = [
            f"{name} {score.precision:.2f} / {score.recall:.2f} of {score.right + score.missed}"
            for name, found in (("dev", dev), ("held", held))
            if (score := found.get(what)) is not None
        ]
        yield Row(f"noticed {what}: precision / recall", ", ".join(told), "–", None)
