"""What a window of 8,000 tokens saves and holds: tokens a call, and the share of later-used names that prompts still
hold. The policies are the default ones, which no run of these was used for.

"Only the last tool results" is given as many results, or as large a window, as makes its prompts as large as ours.
Between two such points its share is taken to be on the line between them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from backstory import ContextStore
from backstory.application.evaluation.recall import (
    FullHistory,
    LastResults,
    Measured,
    Strategy,
    UnderPolicy,
    measure,
)
from backstory.application.evaluation.recording import Recording, recording_of
from benchmarks.generated import Generator
from benchmarks.generated_runs import Run
from benchmarks.goals import Row
from benchmarks.other_runs import KINDS

RUNS = Path(__file__).parents[2] / "shared" / "data" / "openhands-runs.jsonl"
LIMIT = 8_000
THEIR_LIMIT = 32_000
HELD_SEED = 2
HELD_RUNS, QUICK_RUNS = range(2_000, 2_020), range(2_000, 2_004)
HELD_OTHERS, QUICK_OTHERS = range(2_100, 2_104), range(2_100, 2_101)
EVERY = 5
"""In the long session, the recall of every fifth call is measured."""


class Point(NamedTuple):
    """One strategy over several sessions: each call counts the same."""

    tokens: float
    share: float


def window_rows(new_database: Callable[[], str], *, quick: bool) -> Iterator[Row]:
    if RUNS.exists():
        yield from _rows(new_database(), "recorded runs", _recorded(new_database()), goals=True)
    runs = [Run(seed).recording(f"run {seed}") for seed in (QUICK_RUNS if quick else HELD_RUNS)]
    yield from _rows(new_database(), f"{len(runs)} short runs", runs, goals=True)
    messages = 1_000 if quick else 10_000
    session = Generator(HELD_SEED, messages).recording(f"seed {HELD_SEED}")
    yield from _rows(new_database(), f"a session of {messages:,} messages", [session], goals=True, long=True)
    for kind, made in KINDS.items():
        runs = [made(seed).recording(f"{kind} {seed}") for seed in (QUICK_OTHERS if quick else HELD_OTHERS)]
        yield from _rows(new_database(), kind, runs)


def _recorded(url: str) -> list[Recording]:
    with ContextStore.open(url) as store:
        return [recording_of(store.session(done.session)) for done in store.import_file(RUNS)]


def _rows(
    url: str, what: str, recordings: Sequence[Recording], *, goals: bool = False, long: bool = False
) -> Iterator[Row]:
    """Runs of unusual kinds have no goals."""
    with ContextStore.open(url) as store:
        found = [
            measure(recording, _strategies(store, long), every=EVERY if long else 1)
            for recording in recordings
        ]
    full, policy, *others = (_pooled(column) for column in zip(*found, strict=True))
    saved, held = 1 - policy.tokens / full.tokens, policy.share / full.share
    goal = (lambda text: text) if goals else (lambda text: "–")
    tokens = f"{policy.tokens:,.0f} a call, {saved:.1%} fewer than the full history"
    yield Row(f"{what}: tokens", tokens, goal("≥ 60 % fewer"), saved >= 0.6 if goals else None)
    yield Row(f"{what}: names held", f"{policy.share:.1%}", goal("≥ 90 %"), held >= 0.9 if goals else None)
    theirs, told = _share_at(others, policy.tokens)
    met = policy.share > theirs if goals else None
    yield Row(f"{what}: beside the last tool results", f"{policy.share:.1%}; {told}", goal("more"), met)


def _strategies(store: ContextStore, long: bool) -> list[Strategy]:
    """The full history, the default policies, and the last tool results in several sizes, for one recording."""
    if long:
        limits = (2_000, 3_000, 4_000, 6_000, THEIR_LIMIT)
        last = [LastResults(3, limit, label=f"{limit}") for limit in limits]
    else:
        last = [LastResults(kept, THEIR_LIMIT) for kept in (0, 1, 2, 3, 5, 10)]
    return [FullHistory(), UnderPolicy(store, LIMIT), *last]


def _pooled(found: Iterable[Measured]) -> Point:
    found = list(found)
    uses = [use.held for one in found for use in one.uses]
    calls = sum(one.calls for one in found)
    return Point(sum(one.tokens for one in found) / max(1, calls), sum(uses) / len(uses) if uses else 1.0)


def _share_at(points: Sequence[Point], tokens: float) -> tuple[float, str]:
    """The share held with this many tokens a call, and the same in words. Where the smallest prompts are larger, it is
    theirs."""
    points = sorted(points)
    if tokens < points[0].tokens:
        return points[0].share, f"{points[0].share:.1%} with {points[0].tokens:,.0f} tokens, their fewest"
    share = points[-1].share
    for low, high in pairwise(points):
        if low.tokens <= tokens < high.tokens:
            share = low.share + (high.share - low.share) * (tokens - low.tokens) / (high.tokens - low.tokens)
    return share, f"{share:.1%} at equal tokens"
