"""A recap: facts that a summary does not tell, within a number of characters."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from backstory.domain.recap.facts import Fact, FactKind, ranked
from backstory.domain.text.printable import printable
from backstory.domain.text.titles import shortened
from backstory.domain.text.words import words

SHORTEST, USUAL, LONGEST = 400, 2_000, 6_000
"""Characters of a recap."""

SECTIONS: dict[FactKind, tuple[str, float, int]] = {
    "request": ("The user's last message", 0.25, 320),
    "instruction": ("The user said", 0.22, 180),
    "pending": ("PENDING calls", 0.12, 160),
    "todo": ("PENDING in the list of things to do", 0.14, 120),
    "question": ("PENDING question to the user", 0.08, 160),
    "failure": ("Failed, and not seen to pass since", 0.14, 160),
    "decision": ("Decided", 0.16, 160),
    "rejected": ("Refused by the user", 0.08, 160),
    "file": ("Files", 0.40, 400),
    "rule": ("Rules that were loaded", 0.08, 400),
    "command": ("Commands", 0.12, 140),
}
"""The parts of a recap in their order, each with its title, the share of the whole that it may take while others want
room, and the characters of an entry. Why: people's words and what is open are missed most, and paths are what the next
calls need most often; on recorded sessions 700 characters of paths have four fifths of those."""
FOUND_AGAIN: frozenset[FactKind] = frozenset(("command", "rule"))
"""Kinds that are worth no recap of their own."""
ALIKE = 0.9
"""Share of a fact's words that a summary has when it tells the fact."""


class RecapEntry(NamedTuple):
    """A fact, and whether the recap's text has it."""

    fact: Fact
    shown: bool


class Recap(NamedTuple):
    """What a summary does not tell."""

    text: str
    """The text for a prompt; empty where the summary tells all that is needed."""
    entries: tuple[RecapEntry, ...]
    """All facts that are missing, in the order of the text."""
    told: int
    """The number of facts that the summary tells."""


def make_recap(facts: Sequence[Fact], summary: str, *, at: datetime, place: str, limit: int = USUAL) -> Recap:
    """The recap of a compaction. `place` names where more is found."""
    telling = _Telling(summary)
    lost = {kind: [fact for fact in ranked(facts, kind) if not telling.tells(fact)] for kind in SECTIONS}
    told = sum(len(ranked(facts, kind)) - len(lost[kind]) for kind in SECTIONS)
    open_only = {**lost, "todo": [fact for fact in lost["todo"] if fact.status == "PENDING"]}
    head = (
        f"Recorded before the compaction of {at:%Y-%m-%d %H:%M} UTC and not in its summary. A record of facts, not "
        f"instructions; [n] is an item's id. More: {place}."
    )
    chosen = _chosen(open_only, limit - len(head) - 1)
    missed = any(found for kind, found in chosen.items() if kind not in FOUND_AGAIN)
    lines = [head]
    for kind, (title, _, longest) in SECTIONS.items():
        if chosen.get(kind):
            lines += [f"{title}:", *(_entry(fact, at, longest) for fact in chosen[kind])]
    shown = {id(fact) for found in chosen.values() for fact in found} if missed else set()
    entries = tuple(RecapEntry(fact, id(fact) in shown) for kind in SECTIONS for fact in lost[kind])
    return Recap("\n".join(lines) if missed else "", entries, told)


def _chosen(lost: dict[FactKind, list[Fact]], room: int) -> dict[FactKind, list[Fact]]:
    """Facts for the room: each kind first within its share, then what is left to them in their order."""
    chosen: dict[FactKind, list[Fact]] = {kind: [] for kind in SECTIONS}
    whole = room
    for shared in (True, False):
        for kind, (title, share, longest) in SECTIONS.items():
            own = whole * share
            for fact in lost[kind]:
                if fact in chosen[kind]:
                    continue
                cost = len(_entry(fact, fact.at, longest)) + 1 + 6
                cost += 0 if chosen[kind] else len(title) + 2
                if cost > room:
                    continue
                if shared and cost > own and chosen[kind]:
                    break
                chosen[kind].append(fact)
                room, own = room - cost, own - cost
                if kind == "request":
                    break
    return chosen


def _entry(fact: Fact, at: datetime, longest: int) -> str:
    when = f"{fact.at:%H:%M}" if fact.at.date() == at.date() else f"{fact.at:%m-%d %H:%M}"
    text = printable(fact.text)
    quoted = fact.kind in ("request", "instruction", "question")
    # A path that was cut is of no use.
    said = text if fact.kind in ("file", "rule") else shortened(text, longest)
    note = f" ({printable(fact.note)})" if fact.note else ""
    if fact.kind in ("file", "rule"):
        return f"- {said}{note}"
    return f'- [{fact.item} {when}] "{said}"{note}' if quoted else f"- [{fact.item} {when}] {said}{note}"


class _Telling:
    """Tells whether a summary tells a fact."""

    def __init__(self, summary: str) -> None:
        self._folded = " ".join(summary.casefold().split())
        self._words = frozenset(words(summary))

    def tells(self, fact: Fact) -> bool:
        said = " ".join(fact.text.casefold().split())
        if said in self._folded:
            return True
        if fact.kind in ("file", "rule", "command", "failure", "pending"):
            return False
        own = frozenset(words(fact.text))
        return len(own) >= 4 and len(own & self._words) >= ALIKE * len(own) and _near(own, self._folded)


def _near(own: frozenset[str], folded: str) -> bool:
    """Whether some of the words stand together. Why: a long summary has most words of anything somewhere."""
    telling = sorted((word for word in own if len(word) > 3), key=len, reverse=True)[:6]
    places = [folded.find(word) for word in telling]
    return not places or max(places) - min(places) < 600
