"""What a window policy saves and what it costs: tokens per call, and the share of later-used names that are still held.

Recorded runs, by default those in ../shared/data, made-up short runs, a made-up session of 10,000 messages and runs of
other kinds are lived through again. The split is fixed: the policies were tuned on the runs of ../shared/data, on the
session of seed 1, cut at 1,500 messages, on short runs of seeds 1,000 to 1,007 and on other kinds of runs of seeds
1,100 to 1,103; the session of seed 2, the runs of seeds from 2,000 on and any other runs that are given are held out.
The extractor is that of `backstory.domain.recall`, whose version is printed.

At equal tokens: "keep only the last tool results" is given as many results, or as large a window, as makes its prompts
as large as the policy's; between two such points its share is taken to be on the line between them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from backstory import ContextStore
from backstory.domain.policies.agent_work import AGENT_CONTEXT, AGENT_SUMMARY, AGENT_WINDOW
from backstory.domain.recall import RECALL_VERSION
from backstory.recall import FullHistory, LastResults, Measured, UnderPolicy, Way, measure
from backstory.recording import Recording, recording_of
from benchmarks.generated import Generator
from benchmarks.generated_runs import Run
from benchmarks.other_runs import KINDS

RUNS = Path(__file__).parent.parent.parent / "shared" / "data" / "openhands-runs.jsonl"
LIMIT = 32_000
MESSAGES, QUICK_MESSAGES = 10_000, 1_000
TUNED_SEED, HELD_SEED = 1, 2
HISTORIES = (4, 8, 12, 20)
"""How many of the newest exchanges are in each context: the policies' own number is 8."""
RESULTS_KEPT = (0, 1, 2, 3, 5, 10)
LIMITS = (2_000, 3_000, 4_000, 6_000, 12_000, LIMIT)
HELD_RUNS, QUICK_RUNS = range(2_000, 2_020), range(2_000, 2_004)
"""Seeds of the short runs. Those from 1,000 on were looked at while policies were chosen."""
HELD_OTHERS, QUICK_OTHERS = range(2_100, 2_104), range(2_100, 2_101)
"""Seeds of the runs of each other kind."""
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
    least_saved: float
    """Of the sessions, what the policy saves in the one in which it saves least."""

    def of(self, name: str) -> Point:
        return next(point for point in self.points if point.name == name)

    def share_at(self, family: str, tokens: float) -> float:
        """The share that a family holds with so many tokens a call: on the line between its two nearest points. Below
        its smallest point that one's, which is in its favour."""
        points = sorted((point for point in self.points if point.family == family), key=lambda p: p.tokens)
        below = [point for point in points if point.tokens <= tokens]
        above = [point for point in points if point.tokens > tokens]
        if not below or not above:
            return (below or above)[-1 if below else 0].share
        low, high = below[-1], above[0]
        return low.share + (high.share - low.share) * (tokens - low.tokens) / (high.tokens - low.tokens)

    def told_at(self, family: str, tokens: float) -> str:
        """The same in words; where the family's smallest prompts are larger, it says so."""
        fewest = min((p for p in self.points if p.family == family), key=lambda p: p.tokens)
        if fewest.tokens > tokens:
            return f"{fewest.share:.1%} with {fewest.tokens:,.0f}, its fewest"
        return f"{self.share_at(family, tokens):.1%}"

    def goals(self) -> list[tuple[str, str, bool]]:
        full, ours = self.of("full history"), self.of(OURS)
        saved = 1 - ours.tokens / full.tokens
        held = ours.share / full.share
        theirs = self.share_at("baseline", ours.tokens)
        least = f", at least {self.least_saved:.1%} in each" if self.sessions > 1 else ""
        return [
            (
                "fewer tokens than the full history",
                f"{saved:.1%}{least}, goal ≥ 60 %",
                saved >= GOALS["saved"],
            ),
            ("of the share held", f"{held:.2%}, goal ≥ 90 %", held >= GOALS["held"]),
            (
                "above the last tool results at equal tokens",
                f"{ours.share:.2%} against {theirs:.2%} at {ours.tokens:,.0f}",
                ours.share > theirs,
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


def short_runs(seeds: Iterable[int]) -> list[Recording]:
    return [Run(seed).recording(f"run {seed}") for seed in seeds]


def other_runs(kind: str, seeds: Iterable[int]) -> list[Recording]:
    return [KINDS[kind](seed).recording(f"{kind}, run {seed}") for seed in seeds]


def compare(
    url: str, what: str, recordings: Sequence[Recording], *, every: int, report: Callable[[str], None]
) -> Result:
    """Every way over every recording, pooled."""
    long = max(len(recording.deeds) for recording in recordings) > 500
    measured: dict[str, tuple[str, list[Measured]]] = {}
    saved = []
    with ContextStore.open(url) as store:
        for recording in recordings:
            report(f"{what}: {recording.name[:60]}, {recording.calls:,} calls")
            families = list(_ways(store, long))
            here = measure(recording, [way for _, way in families], every=every)
            # Told one by one too: pooled, a run that saves much hides one that saves little.
            report(_told(here))
            spent = {found.way: found.tokens_per_call for found in here}
            saved.append(1 - spent[OURS] / spent["full history"])
            for (family, _), found in zip(families, here, strict=True):
                measured.setdefault(found.way, (family, []))[1].append(found)
    points = tuple(_pooled(*entry) for entry in measured.values())
    return Result(what, len(recordings), points, min(saved))


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
        yield (
            OURS,
            UnderPolicy(store, LIMIT, name, assembly=context, window=AGENT_WINDOW, summary=AGENT_SUMMARY),
        )


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
