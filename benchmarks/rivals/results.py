"""What runs found: kept as JSON, held against the goals, shown as tables. Needs none of the rivals installed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.messages import LENGTH

FILE = Path(__file__).parents[1] / "results" / "rivals.json"
OURS = "Backstory"
ANSWERED = f"{OURS}, prompt recorded with the answer"
READING = f"{OURS}, prompt not recorded"
HALF = 0.5
FLAT = 1.3
# Where a contender differs from another in something else only, or was not measured.
BLANK = "–"
Run = dict[str, Any]


def read_runs() -> list[Run]:
    return list(json.loads(FILE.read_text())) if FILE.exists() else []


def keep(run: Run) -> None:
    """Beside the runs that are kept already."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps([*read_runs(), rounded(run)], indent=1, ensure_ascii=False) + "\n")


def rounded(found: Any) -> Any:
    """Three decimals are more than a noisy machine can tell."""
    match found:
        case float():
            return round(found, 3)
        case dict():
            return {key: rounded(value) for key, value in found.items()}
        case _:
            return found


@dataclass(frozen=True)
class Goal:
    """One line: ours, what it is measured against, and what was promised."""

    what: str
    ours: str
    rival: str
    theirs: str
    ratio: float
    limit: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.limit

    @property
    def promise(self) -> str:
        return f"≤ {self.limit} ×" if self.limit else "none"


def is_ours(name: str) -> bool:
    return name.split(",", maxsplit=1)[0] == OURS


def goals(run: Run) -> list[Goal]:
    """Every p50 at most half of the best rival's; the full turn flat; nothing lost. The full turn with the prompt
    recorded, by an append of its own or with the answer, and as the others do it, with what the model needs read only:
    held to the same."""
    found = [_beside("append, p50", {name: times["p50"] for name, times in run["append"].items()})]
    sizes = list(run["turn"][OURS])
    for ours, what in (
        (OURS, "full turn"),
        (ANSWERED, "full turn, prompt recorded with the answer"),
        (READING, "full turn, prompt not recorded"),
    ):
        for size in sizes:
            times = {name: by_size[size] for name, by_size in run["turn"].items()}
            found.append(_beside(f"{what}, p50 at {int(size):,} messages", times, ours))
        first, last = run["turn"][ours][sizes[0]], run["turn"][ours][sizes[-1]]
        found.append(
            Goal(
                f"{what}, flat up to {int(sizes[-1]):,} messages",
                f"{last:.1f} ms",
                f"itself at {int(sizes[0]):,}",
                f"{first:.1f} ms",
                last / first,
                FLAT,
            )
        )
    found.append(_beside("read in the middle, p50", run["middle"]))
    writers = run["writers"][OURS]
    lost = (writers["sent"] - writers["kept"]) / writers["sent"]
    found.append(
        Goal("8 writers, share lost", f"{writers['kept']:,} kept", "all", f"{writers['sent']:,}", lost, 0)
    )
    return found


def _beside(what: str, times: Mapping[str, float | None], name: str = OURS) -> Goal:
    theirs = {name: time for name, time in times.items() if time is not None and not is_ours(name)}
    best = min(theirs, key=lambda name: theirs[name])
    ours = times[name]
    assert ours is not None
    return Goal(what, f"{ours:.2f} ms", best, f"{theirs[best]:.2f} ms", ours / theirs[best], HALF)


def goal_table(run: Run) -> Table:
    table = Table(title="Goals beside other stores")
    for heading in ("what", "Backstory", "against", "", "ratio", "goal", ""):
        table.add_column(heading)
    for goal in goals(run):
        met = "met" if goal.met else "missed"
        table.add_row(goal.what, goal.ours, goal.rival, goal.theirs, f"{goal.ratio:.2f}", goal.promise, met)
    return table


def headings(run: Run) -> list[str]:
    return [
        "store",
        "append, p50 / p95, ms",
        *(f"full turn at {int(size):,}, ms" for size in run["turn"][OURS]),
        "middle, ms",
        "8 writers: kept",
        f"disk, {run['about']['live_messages']:,} messages",
    ]


def lines(runs: Sequence[Run]) -> list[list[str]]:
    """One line a store, each number a range where there are several runs."""
    every = list(dict.fromkeys([*runs[0]["turn"], *runs[0]["writers"], *runs[0]["disk"]]))
    # Each way of using a store below the store.
    names = sorted(every, key=lambda name: every.index(name.split(",")[0]))
    return [[name, *_numbers(runs, name)] for name in names]


def _numbers(runs: Sequence[Run], name: str) -> list[str]:
    sizes = runs[0]["turn"][OURS]
    if name in runs[0]["append"]:
        p50, p95 = (_range(runs, "append", name, p, digits=1) for p in ("p50", "p95"))
        append = f"{p50} / {p95}"
    else:
        append = BLANK
    if name in runs[0]["turn"]:
        turns = [_range(runs, "turn", name, size, digits=1) for size in sizes]
    else:
        turns = [BLANK] * len(sizes)
    return [append, *turns, _middle(runs, name), _writers(runs, name), _disk(runs, name)]


def _range(runs: Sequence[Run], *path: str, digits: int, unit: float = 1) -> str:
    """The numbers at this place of every run, from the least to the greatest."""
    found = [reduce(getitem, path, run) / unit for run in runs]
    least, greatest = (f"{value:,.{digits}f}" for value in (min(found), max(found)))
    return least if least == greatest else f"{least}–{greatest}"


def _middle(runs: Sequence[Run], name: str) -> str:
    if name not in runs[0]["middle"]:
        return BLANK
    if runs[0]["middle"][name] is None:
        return "not offered"
    return _range(runs, "middle", name, digits=1)


def _writers(runs: Sequence[Run], name: str) -> str:
    if name not in runs[0]["writers"]:
        return BLANK
    kept = _range(runs, "writers", name, "kept", digits=0)
    rate = _range(runs, "writers", name, "kept_per_second", digits=0)
    refused = ", the others refused" if runs[0]["writers"][name]["refused"] else ""
    return f"{kept} of {runs[0]['writers'][name]['sent']:,}{refused}, {rate}/s"


def _disk(runs: Sequence[Run], name: str) -> str:
    if name not in runs[0]["disk"]:
        return BLANK
    text = runs[0]["about"]["live_messages"] * LENGTH
    megabytes = _range(runs, "disk", name, digits=1, unit=1e6)
    return f"{megabytes} MB, {_range(runs, 'disk', name, digits=1, unit=text)} × the text"


def store_table(run: Run) -> Table:
    table = Table(title="Beside other stores")
    for heading in headings(run):
        table.add_column(heading)
    for line in lines([run]):
        table.add_row(*line)
    return table
