"""What a window policy saves and what it costs: tokens per call, and the share of later-used names that are still held.

Recorded runs, by default those in ../shared/data, and a made-up session of 10,000 messages are lived through again. The
split is fixed: the policies were tuned on the runs of ../shared/data and on the session of seed 1, cut at 1,500
messages; the session of seed 2 and any other runs that are given are held out. The extractor is that of
`backstory.domain.recall`, whose version is printed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from backstory import ContextStore
from backstory.domain.policies.agent_work import AGENT_CONTEXT, AGENT_WINDOW
from backstory.domain.recall import RECALL_VERSION
from backstory.recall import FullHistory, LastResults, Measured, UnderPolicy, Way, measure
from backstory.recording import Recording, recording_of
from benchmarks.generated import Generator

RUNS = Path(__file__).parent.parent.parent / "shared" / "data" / "openhands-runs.jsonl"
LIMIT = 32_000
MESSAGES, QUICK_MESSAGES = 10_000, 1_000
TUNED_SEED, HELD_SEED = 1, 2
HISTORIES = (4, 8, 12, 20)
"""How many of the newest exchanges are in each context: the policies' own number is 8."""
RESULTS_KEPT = (1, 2, 3, 5, 10)
LIMITS = (6_000, 12_000, LIMIT)
OURS, BASELINE = "agent-work", "last 3 tool results"
GOALS = {"saved": 0.60, "held": 0.90}


class Point(NamedTuple):
    """One way over several sessions: each call counts the same."""

    family: str
    name: str
    tokens: float
    share: float
    far: float | None
    calls: int
    most_tokens: int
    decisions: tuple[int, int]


class Result(NamedTuple):
    """All ways over one kind of sessions."""

    what: str
    sessions: int
    points: tuple[Point, ...]

    def of(self, name: str) -> Point:
        return next(point for point in self.points if point.name == name)

    def at_most(self, family: str, tokens: float) -> Point | None:
        """The point of a family that holds most with no more tokens than these."""
        within = [point for point in self.points if point.family == family and point.tokens <= tokens]
        return max(within, key=lambda point: point.share, default=None)

    def goals(self) -> list[tuple[str, str, bool]]:
        full, ours, baseline = self.of("full history"), self.of(OURS), self.of(BASELINE)
        saved = 1 - ours.tokens / full.tokens
        held = ours.share / full.share
        equal = self.at_most(OURS, baseline.tokens)
        beats = equal is not None and equal.share > baseline.share
        said = f"{equal.share:.2%} at {equal.tokens:,.0f}" if equal else "no point"
        return [
            ("fewer tokens than the full history", f"{saved:.1%}, goal ≥ 60 %", saved >= GOALS["saved"]),
            ("of the share held", f"{held:.2%}, goal ≥ 90 %", held >= GOALS["held"]),
            (
                f"above {BASELINE} at no more tokens",
                f"{said} against {baseline.share:.2%} at {baseline.tokens:,.0f}",
                beats,
            ),
        ]


def recorded(url: str, runs: Path) -> list[Recording]:
    """The runs of a file, each under the id that it has there."""
    with ContextStore.open(url) as store:
        found = []
        for done in store.import_file(runs):
            session = store.session(done.session)
            found.append(
                recording_of(session)._replace(name=store.summary(session.id).title or str(session.id))
            )
        return found


def generated(messages: int, seed: int = HELD_SEED) -> Recording:
    return Generator(seed, messages).recording(f"seed {seed}")


def compare(
    url: str, what: str, recordings: Sequence[Recording], *, every: int, report: Callable[[str], None]
) -> Result:
    """Every way over every recording, pooled."""
    long = max(len(recording.deeds) for recording in recordings) > 500
    measured: dict[str, tuple[str, list[Measured]]] = {}
    with ContextStore.open(url) as store:
        for recording in recordings:
            report(f"{what}: {recording.name[:60]}, {recording.calls:,} calls")
            families = list(_ways(store, long))
            here = measure(recording, [way for _, way in families], every=every)
            # Told one by one too: pooled, a run that saves much hides one that saves little.
            report(_told(here))
            for (family, _), found in zip(families, here, strict=True):
                measured.setdefault(found.way, (family, []))[1].append(found)
    return Result(what, len(recordings), tuple(_pooled(*entry) for entry in measured.values()))


def _told(here: Sequence[Measured]) -> str:
    by_name = {found.way: found for found in here}
    full = by_name["full history"].tokens_per_call
    told = []
    for name in (OURS, BASELINE):
        found = by_name[name]
        held = sum(use.held for use in found.uses)
        told.append(
            f"{name} {found.tokens_per_call:,.0f} tokens a call, {1 - found.tokens_per_call / full:.1%} fewer, "
            f"held {held} of {len(found.uses)}"
        )
    return "  " + "; ".join(told)


def _ways(store: ContextStore, long: bool) -> Iterable[tuple[str, Way]]:
    yield "full", FullHistory()
    if long:
        # What a window does not hold leaves it: here the limit is what tells the points of the baseline apart.
        for limit in LIMITS:
            name = BASELINE if limit == LIMIT else f"{BASELINE}, {limit:,} tokens"
            yield "baseline", LastResults(3, limit, label=name)
    else:
        for kept in RESULTS_KEPT:
            yield "baseline", LastResults(kept, LIMIT)
    for history in (8,) if long else HISTORIES:
        name = OURS if history == AGENT_CONTEXT.history_messages else f"{OURS}, {history} exchanges"
        context = replace(AGENT_CONTEXT, history_messages=history, history_kept=history)
        yield OURS, UnderPolicy(store, LIMIT, name, assembly=context, window=AGENT_WINDOW)


def _pooled(family: str, found: Sequence[Measured]) -> Point:
    calls = sum(one.calls for one in found)
    uses = [use for one in found for use in one.uses]
    far = [use.held for use in uses if use.far]
    return Point(
        family,
        found[0].way,
        sum(one.tokens for one in found) / max(1, calls),
        mean(use.held for use in uses) if uses else 1.0,
        mean(far) if far else None,
        calls,
        max(one.most_tokens for one in found),
        (sum(one.decisions_held for one in found), sum(one.decisions_needed for one in found)),
    )


def about_measure() -> str:
    return (
        f"recall extractor {RECALL_VERSION}; a use counts when the name was said before; far: not among the last ten "
        "messages"
    )
