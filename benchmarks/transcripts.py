"""What a coding agent still has in its prompt of what it needs: the names and paths that its next ten tool calls use.

On ../shared/data/claude-code-long, recorded sessions of Claude Code, judged by ../shared/eval/names.py, which says what
a name is. The default policies were tuned on the even half of the sessions; the odd half judges them. Twenty of the
sessions were compacted by the agent itself: its summaries are left out, and the whole history is measured.

A call of which every needed name is in the prompt stands for a call that the agent could have made. Whether the task
would be done takes a model to tell.
"""

import gzip
import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from backstory import ContextStore, Session
from backstory.domain.errors import BudgetTooSmall
from backstory.domain.values import DEFAULT_ENCODING
from backstory.infrastructure.llm.tokens import count_lines
from benchmarks.goals import Row
from benchmarks.kept import by_budget, keep

SHARED = Path(__file__).parents[2] / "shared"
SESSIONS = SHARED / "data" / "claude-code-long"
BUDGETS = (8_000, 16_000, 32_000)
GOALS = {"names": (0.80, 0.88, 0.95), "paths": (0.88, 0.94, 0.98), "calls": (0.90, 0.90, 0.90)}
FIRST, EVERY = 50, 25
"""Steps before the first point and between two: a prompt is built at each. A quarter is measured with --quick."""
CALLS_AHEAD = 10
RESULTS_KEPT = 3
HELD_OUT = "odd half"
IN_A_ROW = 25
"""Calls whose prompts are compared by their beginnings, in every fourth session."""


class Step(NamedTuple):
    kind: str
    text: str
    names: frozenset[str]


class Point(NamedTuple):
    """The moment of a model call: all calls before are answered."""

    line: int
    """The number of lines before it."""
    history: list[Step]
    calls: list[frozenset[str]]
    """Of each of the next calls, the names that were seen before."""


class Prompt(NamedTuple):
    tokens: int
    text: str


class Score(NamedTuple):
    """Shares of what is needed. None where no path is."""

    tokens: int
    names: float
    paths: float | None
    calls: float


Strategy = Callable[[Sequence[Step], int], Prompt]


class Transcript:
    """The lines of a session as one chain, and the steps of each."""

    def __init__(self, path: Path, names_of: Callable[[str], frozenset[str]]) -> None:
        self.name = path.name
        self.lines: list[dict[str, Any]] = []
        self.steps: list[list[Step]] = []
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in map(json.loads, file):
                said = line.get("type") in ("user", "assistant") and not line.get("isSidechain")
                if said and not line.get("isCompactSummary"):
                    parent = self.lines[-1]["uuid"] if self.lines else None
                    self.lines.append(line | {"parentUuid": parent})
                    self.steps.append([Step(*block, names_of(block[1])) for block in blocks_of(line)])

    def calls(self) -> Iterator[int]:
        """The numbers of lines before each model call."""
        waiting: set[str] = set()
        for place, line in enumerate(self.lines):
            before = self.lines[place - 1]["message"].get("id") if place else None
            if line["type"] == "assistant" and not waiting and line["message"].get("id") != before:
                yield place
            content = line["message"]["content"]
            for block in content if isinstance(content, list) else []:
                if block["type"] == "tool_use":
                    waiting.add(block["id"])
                elif block["type"] == "tool_result":
                    waiting.discard(block["tool_use_id"])

    def points(self, every: int) -> Iterator[Point]:
        """The calls at which names are needed that were seen before."""
        history: list[Step] = []
        known: set[str] = set()
        taken, due = 0, FIRST
        for place in self.calls():
            for step in (step for steps in self.steps[taken:place] for step in steps):
                history.append(step)
                known |= step.names
            taken = place
            if len(history) < due:
                continue
            due = len(history) + every
            ahead = [step for steps in self.steps[place:] for step in steps if step.kind == "tool_use"]
            calls = [step.names & known for step in ahead[:CALLS_AHEAD]]
            if any(calls):
                yield Point(place, list(history), calls)


def transcript_rows(new_database: Callable[[], str], *, quick: bool) -> Iterator[Row]:
    if not SESSIONS.exists():
        print("claude-code-long is not in ../shared/data: left out", file=sys.stderr)
        return
    names = judge()
    transcripts = [Transcript(path, names.of) for path in sorted(SESSIONS.glob("*.jsonl.gz"))]
    every = EVERY * (4 if quick else 1)
    for half, of_half in (("even half, tuned on", transcripts[::2]), (HELD_OUT, transcripts[1::2])):
        found: dict[str, list[list[Score]]] = {}
        shares: list[tuple[float, float]] = []
        with ContextStore.open(new_database()) as store:
            for number, transcript in enumerate(of_half):
                recorded = Recorded(store, transcript)
                for point in transcript.points(every):
                    session = recorded.until(point.line)
                    rivals = {"default": lambda _, budget, session=session: prompt(session, budget)} | RIVALS
                    for name, strategy in rivals.items():
                        prompts = [strategy(point.history, budget) for budget in BUDGETS]
                        found.setdefault(name, []).append([_score(names, point, one) for one in prompts])
                if number % 4 == 0:
                    shares += recorded.prefixes()
        yield from _rows(half, found)
        if half == HELD_OUT and not quick:
            keep("transcripts", _panels(found))
        yield Row(f"{half}: beginning kept from call to call at 8k", _prefix(shares), "–", None)


def judge() -> Any:
    """The module that says what a name is and whether a text holds it."""
    spec = importlib.util.spec_from_file_location("judged_names", SHARED / "eval" / "names.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Recorded:
    """A transcript that is imported bit by bit."""

    def __init__(self, store: ContextStore, transcript: Transcript, again: str = "") -> None:
        self.store, self.transcript, self.written = store, transcript, 0
        self.id = transcript.name + again
        self.folder = TemporaryDirectory(prefix="backstory-bench-")

    def until(self, line: int) -> Session:
        """The session with so many lines."""
        path = Path(self.folder.name) / "transcript.jsonl"
        with path.open("a", encoding="utf-8") as file:
            for one in self.transcript.lines[self.written : line]:
                file.write(json.dumps(one | {"sessionId": self.id}) + "\n")
        self.written = max(line, self.written)
        (done,) = self.store.import_file(path)
        return self.store.session(done.session)

    def prefixes(self) -> Iterator[tuple[float, float]]:
        """Of successive prompts, the share of the one before that is the beginning of the next: without what stands
        behind the conversation, and with it. Of a session of its own, from the middle on."""
        fresh = Recorded(self.store, self.transcript, " again")
        calls = list(self.transcript.calls())
        middle = len(calls) // 2
        before: tuple[bytes, bytes] | None = None
        for line in calls[middle : middle + IN_A_ROW]:
            try:
                context = fresh.until(line).context(BUDGETS[0], record=False, reserve=0)
            except BudgetTooSmall:
                before = None
                continue
            texts = [json.dumps(message).encode() for message in context.messages]
            now = b"".join(texts[:-1]), b"".join(texts)
            if before is not None:
                kept = _common(before[1], now[1])
                yield min(1.0, kept / len(before[0])), kept / len(now[1])
            before = now


def _common(first: bytes, second: bytes) -> int:
    """The length of the common beginning, in steps of 64 bytes."""
    shorter = min(len(first), len(second))
    return next((at for at in range(0, shorter, 64) if first[at : at + 64] != second[at : at + 64]), shorter)


def prompt(session: Session, budget: int) -> Prompt:
    """The prompt that the product makes, with every text in it as it is read, without JSON's escapes."""
    try:
        context = session.context(budget, record=False, reserve=0, format="anthropic")
    except BudgetTooSmall:
        # The newest exchange alone is larger: there is no prompt, and nothing is held.
        return Prompt(0, "")
    return Prompt(context.tokens, "\n".join(_texts([context.system, context.messages])))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("id", "tool_use_id", "role", "type"):
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _recency(history: Sequence[Step], budget: int) -> Prompt:
    kept: list[str] = []
    tokens = 0
    for step in reversed(history):
        size = count_lines(step.text, DEFAULT_ENCODING)
        if tokens + size > budget:
            for line in reversed(step.text.splitlines()):
                size = count_lines(line + "\n", DEFAULT_ENCODING)
                if tokens + size > budget:
                    break
                kept.append(line)
                tokens += size
            break
        kept.append(step.text)
        tokens += size
    return Prompt(tokens, "\n".join(reversed(kept)))


def _last_results(history: Sequence[Step], budget: int) -> Prompt:
    """All messages and calls, but only the newest results; of these the newest that fit."""
    results = [place for place, step in enumerate(history) if step.kind == "tool_result"]
    kept = set(results[-RESULTS_KEPT:])
    return _recency(
        [step for place, step in enumerate(history) if step.kind != "tool_result" or place in kept], budget
    )


def _full(history: Sequence[Step], budget: int) -> Prompt:
    text = "\n".join(step.text for step in history)
    return Prompt(count_lines(text, DEFAULT_ENCODING) if budget == BUDGETS[0] else 0, text)


RIVALS: dict[str, Strategy] = {
    "recency": _recency,
    "last three tool results": _last_results,
    "full history": _full,
}


def _score(names: Any, point: Point, prompt: Prompt) -> Score:
    held = {name: names.holds(prompt.text, name) for name in frozenset().union(*point.calls)}
    paths = [there for name, there in held.items() if "/" in name]
    calls = [all(held[name] for name in call) for call in point.calls if call]
    return Score(prompt.tokens, mean(held.values()), mean(paths) if paths else None, mean(calls))


def _rows(half: str, found: dict[str, list[list[Score]]]) -> Iterator[Row]:
    for name, points in found.items():
        means = _means(points)
        tokens = [mean(score.tokens for score in scores) for scores in zip(*points, strict=True)]
        told = "; ".join(f"{what} {_shares(shares)}" for what, shares in means.items())
        ours = name == "default"
        goal = "; ".join(f"{what} {_shares(goals)}" for what, goals in GOALS.items()) if ours else "–"
        met = all(a >= b for what, goals in GOALS.items() for a, b in zip(means[what], goals, strict=True))
        sizes = " / ".join(f"{size:,.0f}" for size in tokens if size)
        yield Row(
            f"{half}, {len(points)} points, {name}", f"{told} ({sizes} tokens)", goal, met if ours else None
        )


def _means(points: Sequence[list[Score]]) -> dict[str, list[float]]:
    """Names, paths and calls at each budget."""
    return {
        what: [_mean(getattr(score, what) for score in scores) for scores in zip(*points, strict=True)]
        for what in GOALS
    }


def _panels(found: dict[str, list[list[Score]]]) -> dict[str, dict[str, dict[str, float]]]:
    means = {name: _means(points) for name, points in found.items()}
    return {what: {name: by_budget(BUDGETS, one[what]) for name, one in means.items()} for what in GOALS}


def _mean(shares: Iterable[float | None]) -> float:
    return mean(share for share in shares if share is not None)


def _shares(shares: Iterable[float]) -> str:
    return " / ".join(f"{share:.3f}" for share in shares)


def _prefix(shares: Sequence[tuple[float, float]]) -> str:
    stable, whole = zip(*shares, strict=True)
    return f"{mean(stable):.0%} of what stands before the last message, {mean(whole):.0%} of the prompt"


def blocks_of(line: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts, calls and results with their text; thinking and images are left out. What a call's arguments are named is
    left out too: it comes with the tool."""
    content = line["message"]["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block["type"] == "text":
            yield line["type"], block["text"]
        elif block["type"] == "tool_use":
            yield "tool_use", "\n".join(_values(block["input"]))
        elif block["type"] == "tool_result":
            inner = block.get("content") or ""
            texts = (
                [inner] if isinstance(inner, str) else [one["text"] for one in inner if one["type"] == "text"]
            )
            yield "tool_result", "\n".join(texts)


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _values(inner)
    else:
        yield str(value)
