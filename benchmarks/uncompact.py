"""What an agent's own summary holds of what the next thirty steps use, and what `uncompact` adds to it.

On the sessions of ../shared/data/claude-code-long that the agent itself compacted, judged by ../shared/eval/names.py.
Counted are the names, paths, commands and instructions that were there before the compaction and that later steps use.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from backstory import ContextStore
from benchmarks.goals import Row
from benchmarks.transcripts import SESSIONS, Step, blocks_of, judge

AHEAD = 30
"""Steps after a compaction."""
LIMITS = (2_000, 6_000)
LEAST = 3.0
"""The goal: so many times the summary's own share of paths."""


class Boundary(NamedTuple):
    """A compaction in a transcript."""

    summary: str
    needed: frozenset[str]
    """Names of the next steps' calls that were known before."""
    commands: frozenset[str]
    """Commands of the next steps that were run before."""


def uncompact_rows(new_database: Callable[[], str]) -> Iterator[Row]:
    if not SESSIONS.exists():
        print("claude-code-long is not in ../shared/data: left out", file=sys.stderr)
        return
    names = judge()
    shares: dict[int, list[dict[str, float]]] = {0: [], **{limit: [] for limit in LIMITS}}
    lengths: list[int] = []
    with ContextStore.open(new_database()) as store, TemporaryDirectory(prefix="backstory-bench-") as folder:
        for path in sorted(SESSIONS.glob("*.jsonl.gz")):
            with gzip.open(path, "rb") as file:
                data = file.read()
            boundaries = [*_boundaries([json.loads(line) for line in data.splitlines()], names.of)]
            if not boundaries:
                continue
            copy = f"{folder}/{path.stem}"
            with open(copy, "wb") as out:
                out.write(data)
            (done,) = store.import_file(copy)
            session = store.session(done.session)
            versions = sorted(one.version for one in session.window.compactions())
            for boundary, version in zip(boundaries, versions, strict=True):
                shares[0].append(_shares(names, boundary, boundary.summary))
                for limit in LIMITS:
                    text = session.window.uncompact(version, limit=limit).text
                    assert len(text) <= limit
                    shares[limit].append(_shares(names, boundary, f"{boundary.summary}\n{text}"))
                    lengths.append(len(text))
    own = _mean(shares[0], "paths")
    for limit, found in shares.items():
        said = "; ".join(f"{what} {_mean(found, what):.2f}" for what in ("names", "paths", "commands"))
        what = f"the summary and {limit:,} characters" if limit else "the agent's summary"
        goal = f"paths ≥ {LEAST:g} × {own:.2f}" if limit else "–"
        yield Row(
            f"{len(found)} compactions, {what}",
            said,
            goal,
            _mean(found, "paths") >= LEAST * own if limit else None,
        )
    yield Row("characters of a text", f"{mean(lengths[:: len(LIMITS)]):,.0f} of {LIMITS[0]:,}", "–", None)


def _boundaries(
    lines: Sequence[dict[str, Any]], names_of: Callable[[str], frozenset[str]]
) -> Iterator[Boundary]:
    steps: list[tuple[bool, Step]] = []
    for line in lines:
        if line.get("type") in ("user", "assistant") and not line.get("isSidechain"):
            summary = bool(line.get("isCompactSummary"))
            steps += [(summary, Step(*block, names_of(block[1]))) for block in blocks_of(line)]
    for place, (is_summary, step) in enumerate(steps):
        if not is_summary:
            continue
        before = [one for summed, one in steps[:place] if not summed]
        calls = [one for _, one in steps[place + 1 : place + 1 + AHEAD] if one.kind == "tool_use"]
        known = frozenset().union(*(one.names for one in before))
        run = {_command(one) for one in before if one.kind == "tool_use"}
        yield Boundary(
            step.text,
            frozenset().union(*(call.names for call in calls)) & known,
            frozenset({_command(call) for call in calls} & run - {""}),
        )


def _command(call: Step) -> str:
    """The first line of a call, where it is no path alone."""
    first = call.text.split("\n", 1)[0].strip()
    return first if " " in first else ""


def _shares(names: Any, boundary: Boundary, text: str) -> dict[str, float]:
    paths = [name for name in boundary.needed if "/" in name]
    found = {}
    if boundary.needed:
        found["names"] = mean(names.holds(text, name) for name in boundary.needed)
    if paths:
        found["paths"] = mean(names.holds(text, name) for name in paths)
    if boundary.commands:
        found["commands"] = mean(command in text for command in boundary.commands)
    return found


def _mean(shares: Sequence[dict[str, float]], what: str) -> float:
    return mean(one[what] for one in shares if what in one)
