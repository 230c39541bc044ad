"""Facts of the work before a compaction: what the user said, what is open, what failed, which files and commands."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from backstory.domain.messages.contents import Part
from backstory.domain.messages.prose import result_text
from backstory.domain.messages.shapes import shape_in, text_of
from backstory.domain.summaries.speech import is_by_a_person, is_by_hand, without_pasted
from backstory.domain.text.markdown import READ, own_words
from backstory.domain.text.pattern import pattern
from backstory.domain.text.sentences import sentences

FactKind = Literal[
    "request",
    "instruction",
    "pending",
    "todo",
    "failure",
    "decision",
    "rejected",
    "question",
    "file",
    "command",
    "rule",
]
Status = Literal["DONE", "PENDING", "SUPERSEDED"]

_ORDERS = pattern(
    r"\b(?:do not|don't|never|(?<!can )(?<!could )(?<!as )always|must|only|make sure|ensure|avoid|without|instead of"
    r"|no need|stop|should not|shouldn't|prefer|from now on|keep in mind|remember)\b"
)
_COMMANDS = ("command", "cmd")
_PATHS = ("file_path", "path", "notebook_path", "filename", "target_file")
_EDITS = pattern(r"edit|write|create|replace|insert|patch|update")
_RULES = pattern(
    r"(?:^|/)(?:claude|agents|gemini)\.md$|/\.(?:claude|cursor|codex)/(?:rules|skills|agents|commands)/",
    re.IGNORECASE,
)
_OUTCOME = pattern(
    r"\b(?:\d[\d,.]* (?:passed|failed|errors?|warnings?|failures?|tests?|issues?|problems?)"
    r"|exit (?:code|status)\W{1,3}\d+)\b",
    re.IGNORECASE,
)
_EXIT = pattern(r"\bexit(?:ed with)?[ _](?:code|status)\W{1,3}([1-9]\d{0,2})\b", re.IGNORECASE)
_BAD = pattern(
    r"\W*(?:\[error\]|error\b|exception\b|traceback\b|fatal\b|panic\b|exit code [1-9])", re.IGNORECASE
)
_REFUSED = pattern(
    r"\W*(?:\[error\] )?the user doesn't want to (?:proceed with this tool use|take this action)",
    re.IGNORECASE,
)
_WHY = pattern(r"(?:the user said|reason)\W{0,3}\n+(.+)", re.IGNORECASE | re.DOTALL)
_QUESTION = pattern(r"\?[\"')*_]{0,3}$")
_JOINTS = pattern(r"&&|\|\|?|;")
_ASIDE = ("cd", "tail", "head", "grep", "echo", "cat", "ls", "true", "sleep")
"""Programs whose success says nothing about others."""
_SHOWN = pattern(r"(?: 2>&1)?(?: \| ?(?:tail|head|grep)\b.*)?$")
"""The end of a command that only chooses what is shown of its output."""
_LONGEST_READ = 4_000
"""Characters of a result's beginning and end that are read."""


class Step(NamedTuple):
    """A message or an exchange with a tool."""

    item: int
    at: datetime
    role: str
    of_user: bool
    """Whether a person said it, and no program in the user's name."""
    parts: tuple[Part, ...]
    pending: bool
    """Whether a call in it was not answered."""


class Fact(NamedTuple):
    """Something that was said or done."""

    kind: FactKind
    text: str
    item: int
    """The item that it stands in."""
    at: datetime
    status: Status | None = None
    note: str | None = None
    """What is said of it beside its text: how a command ended, how often a file was edited."""
    worth: float = 0.0
    """Its rank among facts of its kind."""


def facts_of(steps: Sequence[Step]) -> list[Fact]:
    """The facts in steps, which are in their order."""
    return [*_said(steps), *_asked(steps), *_todos(steps), *_calls(steps), *_files(steps)]


# People's words


def _said(steps: Sequence[Step]) -> Iterator[Fact]:
    """The newest request, and what the user said is to be done or left for all that follows."""
    typed = [
        (step, text)
        for step in steps
        if step.of_user and is_by_a_person(text := _typed(step)) and text.strip()
    ]
    asked = [(step, text) for step, text in typed if is_by_hand(text)]
    for step, text in asked[-1:]:
        yield Fact("request", _line(without_pasted(text)), step.item, step.at)
    for place, (step, text) in enumerate(asked):
        text = without_pasted(text)
        own = own_words(text[:READ])
        for sentence in sentences(own):
            said = _line(text[sentence.start : sentence.end])
            if 12 <= len(said) <= 300 and not said.endswith("?") and _ORDERS.search(said.lower()):
                yield Fact("instruction", said, step.item, step.at, worth=place)


def _asked(steps: Sequence[Step]) -> Iterator[Fact]:
    """The question with which the agent ended, if nobody answered."""
    for step in reversed(steps):
        if step.of_user and _typed(step).strip():
            return
        if step.role == "agent":
            last = [line for line in _typed(step).strip().splitlines() if line.strip()][-1:]
            if last and _QUESTION.search(last[0].strip()):
                yield Fact("question", _line(last[0]), step.item, step.at, "PENDING")
            return


def _todos(steps: Sequence[Step]) -> Iterator[Fact]:
    """The newest list of things to do."""
    for step in reversed(steps):
        for part in step.parts:
            todos = _arguments(part).get("todos") or _arguments(part).get("plan")
            if isinstance(todos, list):
                for todo in todos:
                    if isinstance(todo, dict) and isinstance(
                        said := todo.get("content") or todo.get("step"), str
                    ):
                        done = todo.get("status") in ("completed", "done")
                        note = "in progress" if todo.get("status") == "in_progress" else None
                        yield Fact(
                            "todo", _line(said), step.item, step.at, "DONE" if done else "PENDING", note
                        )
                return


# Calls


def _calls(steps: Sequence[Step]) -> Iterator[Fact]:
    """Calls that were not answered, refused calls, and commands by how they ended the last time."""
    newest: dict[str, Fact] = {}
    for step in steps:
        results = {part.call_id: part for part in step.parts if part.kind == "tool_result"}
        for call in (part for part in step.parts if part.kind == "tool_use"):
            said, result = _call_line(call), results.get(call.call_id)
            if result is None:
                if step.pending:
                    yield Fact("pending", said, step.item, step.at, "PENDING", "no result was recorded")
                continue
            text = _ends(result_text(result))
            if _REFUSED.match(text):
                why = _WHY.search(text)
                yield Fact(
                    "rejected",
                    said,
                    step.item,
                    step.at,
                    note=_line(why[1])[:160] if why else None,
                    worth=why is not None,
                )
            elif _command(call) is not None:
                bad = _is_bad(result, text)
                ended = _outcome(text) or ("failed" if bad else "ok")
                newest.pop(said, None)
                newest[said] = Fact(
                    "failure" if bad else "command",
                    said,
                    step.item,
                    step.at,
                    note=ended,
                )
    passed: set[str] = set()
    told: set[str] = set()
    for place, fact in reversed([*enumerate(newest.values())]):
        programs = _programs(fact.text)
        if fact.kind == "command":
            passed |= programs
        elif programs & passed:
            # The same program went well later, maybe with other arguments.
            continue
        ran = _SHOWN.sub("", fact.text)
        # A look at something, and the same with another part of its output shown, come after all others.
        last = ran in told or not programs
        told.add(ran)
        yield fact._replace(worth=place - len(newest) if last else place)


def _files(steps: Sequence[Step]) -> Iterator[Fact]:
    """Files that were edited or read by their paths, and rules that were loaded so."""
    edits, reads = Counter[str](), Counter[str]()
    last: dict[str, tuple[int, Step]] = {}
    for place, step in enumerate(steps):
        for call in (part for part in step.parts if part.kind == "tool_use"):
            arguments = _arguments(call)
            path = next((found for name in _PATHS if isinstance(found := arguments.get(name), str)), None)
            if (
                path is None
                or "." not in path.rpartition("/")[2]
                or len(path) > 400
                or not path.isprintable()
            ):
                continue
            action = str(arguments.get("command", "")) + (call.name or "")
            (edits if _EDITS.search(action.lower()) else reads)[path] += 1
            last[path] = (place, step)
    for path, (place, step) in last.items():
        note = f"{edits[path]} edits" if edits[path] > 1 else "edited" if edits[path] else None
        kind: FactKind = "rule" if _RULES.search(path) else "file"
        # What was edited is gone back to more often than what was read.
        used = (2 * edits[path] + reads[path]) ** 0.5
        yield Fact(kind, path, step.item, step.at, note=note, worth=used * 0.99 ** (len(steps) - place))


def _call_line(call: Part) -> str:
    command = _command(call)
    if command is not None:
        return _line(command)
    values = [value for value in _arguments(call).values() if isinstance(value, str) and value.strip()]
    return _line(f"{call.name or 'tool'} {values[0] if values else ''}")


def _command(call: Part) -> str | None:
    arguments = _arguments(call)
    for name in _COMMANDS:
        said = arguments.get(name)
        if isinstance(said, list):
            # Of a shell that is given a command line, that line.
            said = str(said[-1]) if said[1:2] in (["-c"], ["-lc"]) else " ".join(map(str, said))
        # An editor's sub-command has a path beside it.
        if isinstance(said, str) and said.strip() and not any(path in arguments for path in _PATHS):
            return said
    return None


def _programs(command: str) -> set[str]:
    """The words that name what a command runs: "go test", "mise run lint"."""
    found = set()
    for part in _JOINTS.split(command):
        named = [word for word in part.split() if not word.startswith("-") and "=" not in word]
        if named and named[0] not in _ASIDE:
            found.add(" ".join(named[: 3 if named[1:2] == ["run"] else 2]))
    return found


def _arguments(part: Part) -> dict[str, Any]:
    if part.kind != "tool_use":
        return {}
    try:
        found = json.loads(part.data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_bad(result: Part, text: str) -> bool:
    return (
        shape_in(result).get("is_error") is True
        or _BAD.match(text) is not None
        or _EXIT.search(text) is not None
    )


def _outcome(text: str) -> str | None:
    """The numbers with which a command ended: of its last line that has any."""
    for line in reversed(text.splitlines()):
        found = [match[0] for match in _OUTCOME.finditer(line)]
        if found:
            return ", ".join(dict.fromkeys(found[:4]))
    return None


def _typed(step: Step) -> str:
    return "\n".join(text_of(part) for part in step.parts if part.kind == "text")


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _LONGEST_READ else text[:_LONGEST_READ] + "\n" + text[-_LONGEST_READ:]


def _line(text: str) -> str:
    return " ".join(text.split())


def ranked(facts: Iterable[Fact], kind: FactKind) -> list[Fact]:
    """The facts of a kind, the most worth first, then the newest; each text once."""
    found: dict[str, Fact] = {}
    for fact in sorted(
        (fact for fact in facts if fact.kind == kind), key=lambda fact: (-fact.worth, -fact.item)
    ):
        found.setdefault(fact.text.casefold(), fact)
    return list(found.values())
