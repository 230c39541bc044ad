"""Whether what was needed was there: the names that an answer uses, and whether its prompt still held them.

A file path or identifier that an agent writes, and that stood somewhere in the conversation before, had to be known to
it. If it was no longer in the prompt, the agent had to guess or to look it up again. The share of such names that the
prompt held says what a way of cutting prompts costs; how many tokens it saves is only half of the truth.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from backstory.domain.entities.code_names import Name, names_in

RECALL_VERSION = 1
"""Raised when the same texts may give other names: shares are comparable under one version only."""
NEAR = 10
"""Messages. What was said in the last ten is in every prompt; the rest shows what a policy is worth."""


class Use(NamedTuple):
    """A name in an answer that had been said before, and whether the prompt of that answer held it."""

    name: Name
    ago: int
    """How many messages ago it was last said: 1 is the newest one."""
    held: bool

    @property
    def far(self) -> bool:
        return self.ago > NEAR


def holds(prompt: str, name: str) -> bool:
    """Whether a prompt has the name as a word of its own, not within a longer one."""
    place = prompt.find(name)
    while place >= 0:
        before = prompt[place - 1 : place]
        after = prompt[place + len(name) : place + len(name) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        place = prompt.find(name, place + 1)
    return False


class Ledger:
    """What was said so far, and when each name was said last. Names of the system prompt do not count: it is in every
    prompt."""

    def __init__(self) -> None:
        self._always: set[Name] = set()
        self._last: dict[Name, int] = {}
        self._said = 0

    def prompted(self, text: str) -> None:
        self._always.update(names_in(text))

    def said(self, text: str) -> None:
        self._said += 1
        for name in names_in(text):
            self._last[name] = self._said

    def uses(self, answer: str) -> Iterator[tuple[Name, int]]:
        """The names of an answer that were said before, with how many messages ago."""
        for name in names_in(answer):
            if name in self._last and name not in self._always:
                yield name, self._said - self._last[name] + 1


class DecisionSaid(NamedTuple):
    """A decision with the names by which one can tell that it is made use of."""

    text: str
    names: frozenset[Name]


def decisions_needed(answer: Iterable[Name], decisions: Iterable[DecisionSaid]) -> Iterator[DecisionSaid]:
    """The decisions that an answer acts upon, as far as that can be told: it uses a name of theirs."""
    used = set(answer)
    return (decision for decision in decisions if decision.names & used)


def says(prompt: str, statement: str) -> bool:
    """Whether a prompt has a statement, however its lines are broken."""
    return _flat(statement) in _flat(prompt)


def _flat(text: str) -> str:
    return " ".join(text.split())
