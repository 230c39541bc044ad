"""Long sessions of an agent that works through tasks with tools, made up by seed.

What such work is like, as far as it matters for memory: a task is about a few files; the agent reads them, and what it
writes uses the names it has read, mostly the newest ones. Some files come back in later tasks, in one case of three
without being read again. Now and then something is decided, and later work goes by it. Results of tools are long,
what the agent says is short.
"""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from backstory.application.evaluation.recording import RecordedAction, Recording
from backstory.domain import events as e
from backstory.domain.messages.contents import Message, Part

BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
SYSTEM = (
    "You are a careful engineer. Read before you edit, run the tests after, and keep to what was decided."
)
RETURNS = 0.3
"""Of the tasks, those that also touch a file of an earlier one."""
FROM_MEMORY = 1 / 3
"""Of those returns, the ones in which the file is not read again."""
DECIDES = 0.25
"""Of the tasks, those in which something is decided that later tasks go by."""
GOES_BY = 0.2
"""Of the edits, those that go by an earlier decision."""

_WORDS = {
    "nouns": (
        "token session ledger cursor batch stream offset replica snapshot index cache queue retry window budget parser "
        "router handler schema migration policy tracker worker signer issuer audience header payload cookie redirect"
    ),
    "verbs": "load store merge split rotate verify parse render resolve expire refresh append replay compact restore",
    "places": "core api auth storage jobs web cli search billing audit",
    "filler": (
        "the value is read once and kept because callers expect the same answer until the next commit so that a slow "
        "reader never sees half of a change and every error names the field that broke the rule it was checked against"
    ),
}
_NOUNS, _VERBS, _PLACES, _FILLER = (words.split() for words in _WORDS.values())


class File(NamedTuple):
    path: str
    names: tuple[str, ...]


class Generator:
    """Makes one session. An agent that `narrates` names in words what it touches; one that does not has these names in
    its calls of tools only, where what lists the names that were mentioned does not look."""

    def __init__(self, seed: int, messages: int, *, narrates: bool = True) -> None:
        self._narrates = narrates
        self._dice = random.Random(seed)
        self._wanted = messages
        self._said = 0
        self._version = 1
        self._now = BEGAN
        self._files: list[File] = []
        self._decisions: list[tuple[File, str]] = []

    def recording(self, name: str) -> Recording:
        return Recording(name, tuple(self._deeds()))

    def _deeds(self) -> Iterator[RecordedAction]:
        yield self._text(e.SystemPromptSet.type, SYSTEM)
        number = 0
        while self._said < self._wanted:
            number += 1
            yield from self._task(number)

    def _task(self, number: int) -> Iterator[RecordedAction]:
        dice = self._dice
        fresh = [self._new_file() for _ in range(dice.randint(1, 3))]
        known: list[File] = []
        asked = f"Task {number}: {dice.choice(_VERBS)} the {dice.choice(_NOUNS)} in {fresh[0].path}."
        returned = None
        if self._files and dice.random() < RETURNS:
            returned = dice.choice(self._files[-40:])
            asked += f" It belongs with the {dice.choice(_NOUNS)} that we changed before."
        yield self._message("user", Part("text", asked.encode()))
        for file in fresh:
            yield from self._read(file)
            known.append(file)
        if returned is not None:
            if dice.random() >= FROM_MEMORY:
                yield from self._read(returned)
            known.append(returned)
        for _ in range(dice.randint(6, 24)):
            file = known[-1] if dice.random() < 0.6 else dice.choice(known)
            yield from (self._edit(file) if dice.random() < 0.6 else self._test(file))
        if dice.random() < DECIDES:
            file = dice.choice(fresh)
            decided = (
                f"Keep `{file.names[0]}` in {file.path} as the only place that may {dice.choice(_VERBS)}"
            )
            self._decisions.append((file, decided))
            yield self._text(e.DecisionRecorded.type, decided)
        done = f"Done: {fresh[0].path} has what you asked for." if self._narrates else "Done."
        yield self._message("agent", Part("text", done.encode()))
        self._files += fresh

    def _read(self, file: File) -> Iterator[RecordedAction]:
        lines = []
        for name in file.names:
            lines.append(f"def {name}({self._dice.choice(_NOUNS)}):")
            lines += [
                f"    {self._prose(self._dice.randint(8, 30))}" for _ in range(self._dice.randint(2, 9))
            ]
        yield from self._exchange(f"I read {file.path}.", {"path": file.path}, "\n".join(lines))

    def _edit(self, file: File) -> Iterator[RecordedAction]:
        dice = self._dice
        used = dice.sample(file.names, k=min(len(file.names), dice.randint(1, 2)))
        said = f"I change {used[0]} so that it can {dice.choice(_VERBS)}."
        if self._decisions and dice.random() < GOES_BY:
            other, _ = self._decisions[-1] if dice.random() < 0.5 else dice.choice(self._decisions[-10:])
            said += f" {other.names[0]} stays where it is, in {other.path}."
        body = f"def {used[-1]}():\n    {self._prose(12)}" + ("" if self._narrates else f"\n# {said}")
        yield from self._exchange(said, {"path": file.path, "new": body}, f"{file.path} was edited.")

    def _test(self, file: File) -> Iterator[RecordedAction]:
        dice = self._dice
        failed = [
            f"FAILED {file.path}::test_{name}" for name in dice.sample(file.names, k=dice.randint(0, 2))
        ]
        lines = [f"{self._prose(10)} ... ok" for _ in range(dice.randint(5, 40))]
        yield from self._exchange(
            "I run the tests.", {"run": f"pytest {file.path}"}, "\n".join([*lines, *failed])
        )

    def _exchange(self, said: str, arguments: dict[str, str], result: str) -> Iterator[RecordedAction]:
        said = said if self._narrates else "Next step."
        call = f"call_{self._version}"
        asked = json.dumps(arguments).encode()
        yield self._message(
            "agent",
            Part("text", said.encode()),
            Part("tool_use", asked, "application/json", call_id=call, name="work"),
        )
        yield self._message("tool", Part("tool_result", result.encode(), call_id=call))

    def _message(self, role: str, *parts: Part) -> RecordedAction:
        self._said += 1
        calls = any(part.kind == "tool_use" for part in parts)
        kind = e.ToolAnswered if role == "tool" else e.ToolCalled if calls else e.MessageAdded
        return self._deed(kind.type, message=Message(role, parts))

    def _text(self, kind: str, text: str) -> RecordedAction:
        return self._deed(kind, texts={"text": text})

    def _deed(self, kind: str, **said: Any) -> RecordedAction:
        self._version += 1
        self._now += timedelta(seconds=self._dice.randint(5, 90))
        return RecordedAction(self._version, self._now, kind, **said)

    def _new_file(self) -> File:
        dice = self._dice
        number = len(self._files)
        stem = f"{dice.choice(_NOUNS)}_{dice.choice(_NOUNS)}_{number}{dice.choice('abcdef')}"
        names = tuple(
            dict.fromkeys(
                f"{dice.choice(_VERBS)}_{dice.choice(_NOUNS)}_{dice.choice(_NOUNS)}_{dice.randint(1, 999)}"
                for _ in range(dice.randint(3, 9))
            )
        )
        return File(f"src/{dice.choice(_PLACES)}/{stem}.py", names)

    def _prose(self, words: int) -> str:
        return " ".join(self._dice.choices(_FILLER, k=words))
