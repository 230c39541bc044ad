"""What writers have noted, held against the log."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from backstory.application.session import Session

WHOLE = {"plain": 1, "keyed": 1, "together": 2, "goal": 2}
"""How many events a number of each kind comes to."""


class Account(NamedTuple):
    """How many appends were acknowledged, and what is wrong."""

    acknowledged: int
    lost: list[str]
    twice: list[str]
    torn: list[str]

    @property
    def wrong(self) -> list[str]:
        return self.lost + self.twice + self.torn


def settle(session: Session, notes: Iterable[dict[str, Any]], *, insisted: bool = False) -> Account:
    """`insisted`: whatever had a key was repeated until it was done."""
    found = _found(session)
    newest = {note["number"]: note for note in notes}
    # A number that was unknown once may be there, whatever became of it when it was tried again.
    unknown = {note["number"] for note in notes if note["outcome"] == "unknown"}
    acknowledged, lost, twice, torn = 0, [], [], []
    for number, note in newest.items():
        kind, outcome, there = note["kind"], note["outcome"], found.pop(number, [])
        said = f"{note}: {there}"
        if len(there) > WHOLE[kind]:
            twice.append(said)
        elif outcome == "done":
            acknowledged += 1
            if there != note["versions"]:
                lost.append(said)
        elif kind == "plain" and outcome == "not done" and there and number not in unknown:
            torn.append(f"said to be not done, {said}")
        elif kind != "plain" and insisted:
            torn.append(f"never repeated, {said}")
        if kind == "together" and there and there != [there[0], there[0] + 1]:
            torn.append(said)
    torn += [f"nobody wrote {number}: {versions}" for number, versions in found.items()]
    return Account(acknowledged, lost, twice, torn)


def _found(session: Session) -> dict[int, list[int]]:
    """The versions that are in the log for each number."""
    events = list(session.events())
    assert [event.version for event in events] == list(range(1, session.version + 1))
    said = [event.version for event in events if event.type == "message.added"]
    texts = [message.parts[0].data.decode() for message in session.messages()]
    assert len(said) == len(texts)
    numbers = {version: int(text.split()[0]) for version, text in zip(said, texts, strict=True)}
    found: dict[int, list[int]] = {}
    for event in events:
        match event.type:
            case "message.added":
                found.setdefault(numbers[event.version], []).append(event.version)
            case "goal.set":
                numbers[event.version] = int(session.text(event.version))
                found.setdefault(numbers[event.version], []).append(event.version)
            case "goal.completed":
                found[numbers[event.body.goal]].append(event.version)
    return found
