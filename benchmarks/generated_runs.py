"""Short runs of an agent that mends one thing in a repository, made up by seed: held out beside the recorded ones.

They are unlike the long sessions of `generated`: some 20 to 60 calls, a long prompt and task, results whose sizes
differ by a factor of a hundred, files that are read again or in part, edits that fail and are tried again, and names
spelled as C, Go, Python or JavaScript spell them. Which names an agent uses is as in recorded runs: mostly those of the
last few results. One that it met before may be from anywhere in the run, which recorded agents seldom go back to.
"""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from backstory.application.evaluation.recording import RecordedAction, Recording
from backstory.domain import events as e
from backstory.domain.messages.contents import Message, Part

BEGAN = datetime(2026, 4, 6, 9, 0, tzinfo=UTC)
AGES = (0.54, 0.20, 0.08, 0.18)
"""How often a name that is used was last in the newest result, the one before, the third, or any earlier one: as
counted in the runs of ../shared/data."""
AGAIN = 0.3
"""Of the reads, those of a file that was read before."""
FAILS = 0.25
"""Of the edits, those that fail and are tried once more."""

_WORD_TEXT = (
    "value caller lock buffer branch result index header reader writer scope token parent child frame "
    "entry list guard limit error state event queue batch window option default match pattern type alias "
    "cursor offset record field"
)
_WORDS = _WORD_TEXT.split()
_PROSE_TEXT = (
    "when the is read before it was set so that a caller who waits sees an old one and the check after it "
    "fails only if both are open at once which makes it hard to see in a test but easy to run into under "
    "load because then each"
)
_PROSE = _PROSE_TEXT.split()
_SPELLINGS = ("c", "go", "py", "js")


class Source(NamedTuple):
    path: str
    names: tuple[str, ...]
    lines: tuple[str, ...]


class Run:
    """One run."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._spelling = self._dice.choice(_SPELLINGS)
        self._version, self._now = 1, BEGAN
        self._files = [self._source() for _ in range(self._dice.randint(6, 14))]
        self._seen: list[tuple[str, ...]] = []
        """The names of each result, oldest first."""
        self._read: list[Source] = []
        self._called = 0

    def recording(self, name: str) -> Recording:
        return Recording(name, tuple(self._deeds()))

    def _deeds(self) -> Iterator[RecordedAction]:
        dice = self._dice
        about = dice.choice(self._files)
        prompt = "You are a careful engineer who works with tools. " + self._prose(dice.randint(300, 900))
        yield self._deed(e.SystemPromptSet.type, texts={"text": prompt})
        task = f"{about.names[0]} in {about.path} is wrong. {self._prose(dice.randint(200, 800))}"
        yield self._message("user", Part("text", task.encode()))
        yield from self._listing()
        calls = dice.randint(20, 60)
        while self._called < calls:
            step = dice.choices((self._reading, self._search, self._edit, self._tests), (4, 2, 4, 2))[0]
            yield from step()

    def _listing(self) -> Iterator[RecordedAction]:
        paths = [file.path for file in self._files] + [
            self._path() for _ in range(self._dice.randint(10, 120))
        ]
        self._dice.shuffle(paths)
        yield from self._exchange("I look at what is there.", {"run": "find . -type f"}, "\n".join(paths))

    def _reading(self) -> Iterator[RecordedAction]:
        dice = self._dice
        again = bool(self._read) and dice.random() < AGAIN
        file = dice.choice(self._read[-3:]) if again else dice.choice(self._files)
        lines = file.lines
        if dice.random() < 0.4:
            first = dice.randrange(len(lines))
            lines = lines[first : first + dice.randint(5, 60)]
        self._read.append(file)
        yield from self._exchange(f"Let me read {file.path}.", {"path": file.path}, "\n".join(lines))

    def _search(self) -> Iterator[RecordedAction]:
        name = self._used(1)[0]
        hits = [
            f"{file.path}:{number}: {line.strip()}"
            for file in self._files
            for number, line in enumerate(file.lines, 1)
            if self._dice.random() < 0.02
        ]
        yield from self._exchange(
            f"Where is {name} used?", {"run": f"grep -rn {name} ."}, "\n".join(hits[:80])
        )

    def _edit(self) -> Iterator[RecordedAction]:
        dice = self._dice
        file = dice.choice(self._read[-2:] or self._files)
        for _ in range(2 if dice.random() < FAILS else 1):
            used = self._used(dice.randint(1, 3))
            call = {"path": file.path, "old": self._code(used[0]), "new": self._code(used[-1])}
            result = dice.choice((f"{file.path} was edited.", "ERROR: the old text was not found."))
            yield from self._exchange(f"I change {used[0]} so that it waits.", call, result)

    def _tests(self) -> Iterator[RecordedAction]:
        dice = self._dice
        lines = [self._prose(9) for _ in range(int(dice.paretovariate(1.0) * 4) % 150)]
        failed = [
            f"{dice.choice(self._files).path}: {name} failed" for name in self._used(dice.randint(0, 2))
        ]
        yield from self._exchange("I run the tests.", {"run": "make test"}, "\n".join([*lines, *failed]))

    def _used(self, count: int) -> list[str]:
        found = []
        for _ in range(count):
            age = min(self._dice.choices(range(4), AGES)[0], len(self._seen) - 1)
            names = (
                self._dice.choice(self._seen[:-3]) if age == 3 and self._seen[:-3] else self._seen[-1 - age]
            )
            found.append(self._dice.choice(names))
        return found

    def _exchange(self, said: str, arguments: dict[str, str], result: str) -> Iterator[RecordedAction]:
        self._called += 1
        call = f"call_{self._called}"
        yield self._message(
            "agent",
            Part("text", said.encode()),
            Part("tool_use", json.dumps(arguments).encode(), "application/json", call_id=call, name="work"),
        )
        yield self._message("tool", Part("tool_result", result.encode(), call_id=call))
        known = [name for file in self._files for name in (*file.names, file.path) if name in result]
        if known:
            self._seen.append(tuple(known))

    def _message(self, role: str, *parts: Part) -> RecordedAction:
        calls = any(part.kind == "tool_use" for part in parts)
        kind = e.ToolAnswered if role == "tool" else e.ToolCalled if calls else e.MessageAdded
        return self._deed(kind.type, message=Message(role, parts))

    def _deed(self, kind: str, **said: Any) -> RecordedAction:
        self._version += 1
        self._now += timedelta(seconds=self._dice.randint(5, 90))
        return RecordedAction(self._version, self._now, kind, **said)

    def _source(self) -> Source:
        dice = self._dice
        names = tuple(dict.fromkeys(self._name() for _ in range(dice.randint(4, 60))))
        # Sizes of files are heavy-tailed: most are short, and now and then one is very long.
        lines = [self._code(dice.choice(names)) for _ in range(min(900, int(20 * dice.paretovariate(0.9))))]
        return Source(self._path(), names, (*lines, *(self._code(name) for name in names)))

    def _path(self) -> str:
        folders = "/".join(self._dice.choices(_WORDS, k=self._dice.randint(1, 3)))
        return (
            f"/workspace/{folders}/{self._dice.choice(_WORDS)}_{self._dice.randint(1, 99)}.{self._spelling}"
        )

    def _name(self) -> str:
        words = [*self._dice.choices(_WORDS, k=2), f"{self._dice.choice(_WORDS)}{self._dice.randint(1, 99)}"]
        if self._spelling == "c" and self._dice.random() < 0.4:
            return "_".join(words).upper()
        if self._spelling in ("c", "py"):
            return "_".join(words)
        humps = "".join(word.capitalize() for word in words)
        return humps if self._spelling == "go" else humps[0].lower() + humps[1:]

    def _code(self, name: str) -> str:
        one, other = self._dice.choices(_WORDS, k=2)
        return f"  {name}({one}, {other});  // {self._prose(self._dice.randint(1, 9))}"

    def _prose(self, words: int) -> str:
        return " ".join(self._dice.choices(_PROSE, k=words))
