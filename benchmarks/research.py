"""Three choices measured on recorded coding sessions: how to score importance, how to notice that a text changed, and
how to count tokens. Each is compared with the simpler ways.

Every second session is left out: the choices were made with those.
"""

import gzip
import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, TypeVar

from backstory import count_tokens
from backstory.domain.context.recall import holds
from backstory.domain.entities.code_names import names_in
from backstory.domain.policies.importance import DEFAULT_IMPORTANCE
from benchmarks.goals import Row

Given = TypeVar("Given")
Made = TypeVar("Made")

RUNS = Path(__file__).parents[2] / "shared" / "data" / "claude-code-long"
BUDGET = 8_000
FIRST, EVERY, AHEAD = 50, 50, 20
"""A point in a session after so many steps, and then after so many more; the steps after it that are looked at."""
HALF_LIFE = 50
"""Steps after which the weight of a step or of a mention is halved."""


class Step(NamedTuple):
    """A message, a call or a result."""

    role: str
    text: str
    is_call: bool
    names: frozenset[str]


def research_rows() -> Iterator[Row]:
    if not RUNS.exists():
        yield Row("research", f"needs {RUNS.parent.name}/{RUNS.name}", "–", None)
        return
    sessions = [list(_steps(path)) for path in sorted(RUNS.glob("*.jsonl.gz"))[1::2]]
    yield from _importance(sessions)
    texts = [step.text for steps in sessions for step in steps if step.text]
    yield from _token_counts(texts)
    yield from _changes(texts)


def _steps(path: Path) -> Iterator[Step]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if line.get("type") in ("user", "assistant") and not line.get("isCompactSummary"):
                content = line["message"]["content"]
                blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
                for block in blocks:
                    text = _text(block)
                    role = "agent" if line["type"] == "assistant" else "user"
                    role = "tool" if block["type"] == "tool_result" else role
                    names = frozenset(name.text for name in names_in(text))
                    yield Step(role, text, block["type"] == "tool_use", names)


def _text(block: dict[str, Any]) -> str:
    if block["type"] == "tool_use":
        return "\n".join(map(str, block["input"].values()))
    inner = block.get("content") if block["type"] == "tool_result" else block.get("text")
    if isinstance(inner, list):
        return "\n".join(one.get("text", "") for one in inner)
    return inner or ""


# Importance: which steps to keep

Scores = Callable[[Sequence[Step]], list[float]]


def _importance(sessions: Sequence[Sequence[Step]]) -> Iterator[Row]:
    ways: dict[str, Scores] = {
        "recency": lambda steps: [float(place) for place in range(len(steps))],
        "TF-IDF": _tf_idf,
        "recency and frequency of names": _recent_and_frequent,
        "importance, halved with age": _aged_importance,
    }
    points = [
        (steps[:at], needed)
        for steps in sessions
        for at in range(FIRST, len(steps), EVERY)
        if (needed := _needed(steps, at))
    ]
    for name, score in ways.items():
        shares = []
        for steps, needed in points:
            kept = _kept(steps, score(steps))
            shares.append(mean(holds(kept, name) for name in needed))
        yield Row(f"names held in {BUDGET:,} tokens: {name}", f"{mean(shares):.2f}", "–", None)


def _needed(steps: Sequence[Step], at: int) -> set[str]:
    """The names in the next calls that had been seen before."""
    seen = frozenset[str]().union(*(step.names for step in steps[:at]))
    used = frozenset[str]().union(*(step.names for step in steps[at : at + AHEAD] if step.is_call))
    return set(used & seen)


def _kept(steps: Sequence[Step], scores: Sequence[float]) -> str:
    """The texts of the best steps that fit, in their order."""
    free, chosen = BUDGET, []
    for place in sorted(range(len(steps)), key=lambda place: (-scores[place], -place)):
        tokens = _tokens(steps[place].text)
        if tokens <= free:
            free -= tokens
            chosen.append(place)
    return "\n".join(steps[place].text for place in sorted(chosen))


@cache
def _tokens(text: str) -> int:
    return count_tokens(text)


def _tf_idf(steps: Sequence[Step]) -> list[float]:
    """The mean weight of a step's words, so that a long step is not better for its length."""
    counts = [Counter(step.text.lower().split()) for step in steps]
    holding = Counter(word for words in counts for word in words)
    rarity = {word: math.log(len(steps) / number) for word, number in holding.items()}
    return [
        sum(math.sqrt(n) * rarity[word] for word, n in words.items()) / max(1, words.total())
        for words in counts
    ]


def _recent_and_frequent(steps: Sequence[Step]) -> list[float]:
    weights: Counter[str] = Counter()
    for place, step in enumerate(steps):
        for name in step.names:
            weights[name] += 0.5 ** ((len(steps) - place) / HALF_LIFE)
    return [sum(weights[name] for name in step.names) / (20 + _tokens(step.text)) for step in steps]


def _aged_importance(steps: Sequence[Step]) -> list[float]:
    scores = []
    for place, step in enumerate(steps):
        type_ = "tool_exchange" if step.is_call or step.role == "tool" else "message"
        first = DEFAULT_IMPORTANCE.first_importance(type_, step.role, step.text)
        scores.append(first * 0.5 ** ((len(steps) - place) / HALF_LIFE))
    return scores


# Tokens and changes


def _token_counts(texts: Sequence[str]) -> Iterator[Row]:
    counted, seconds = _timed(count_tokens, texts)
    characters = sum(map(len, texts))
    for name, estimate in (
        ("characters / 4", lambda text: math.ceil(len(text) / 4)),
        ("words × 4 / 3", lambda text: math.ceil(len(text.split()) * 4 / 3)),
    ):
        errors = sorted(
            abs(estimate(text) / real - 1) for text, real in zip(texts, counted, strict=True) if real >= 20
        )
        total = sum(map(estimate, texts)) / sum(counted) - 1
        yield Row(
            f"token count: {name}",
            f"{median(errors):.0%} off for the median text, {errors[len(errors) * 95 // 100]:.0%} for one in "
            f"twenty, {total:+.0%} in sum",
            "–",
            None,
        )
    yield Row("token count: tiktoken", f"{characters / seconds / 1e6:.1f} million characters/s", "–", None)


def _changes(texts: Iterable[str]) -> Iterator[Row]:
    """A text and the same text with its last line changed."""
    pairs = [(text, text.rsplit("\n", 1)[0] + "\nchanged") for text in texts if text.count("\n") > 20][:300]
    _, hashed = _timed(lambda pair: [hashlib.sha256(text.encode()).digest() for text in pair], pairs)
    _, compared = _timed(
        lambda pair: SequenceMatcher(
            None, *(text.split("\n") for text in pair), autojunk=False
        ).get_opcodes(),
        pairs,
    )
    yield Row(
        "a changed text: SHA-256 against a diff by line",
        f"{hashed / len(pairs) * 1e6:,.0f} µs against {compared / len(pairs) * 1e6:,.0f} µs",
        "–",
        None,
    )


def _timed(work: Callable[[Given], Made], given: Sequence[Given]) -> tuple[list[Made], float]:
    start = time.perf_counter()
    made = [work(one) for one in given]
    return made, time.perf_counter() - start
