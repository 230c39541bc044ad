"""`python -m benchmarks --only window` and `--only days`: tables, each goal with whether it was met, and the plot."""

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import days, window, window_plot
from benchmarks.other_runs import KINDS
from benchmarks.server import fresh_database

PLOT = Path(__file__).parent.parent / "docs" / "images" / "window.svg"
EVERY = 5
"""Of a long session, every fifth call is asked what it holds; each is checked and put together all the same."""


def show_window(console: Console, server: str, runs: Path | None, *, quick: bool, keep: bool) -> None:
    """What policies save and hold. With `keep` the plot in the docs is made anew."""
    place = runs or window.RUNS
    results = []
    if place.exists():
        recordings = window.recorded(fresh_database(server), place)
        what = "recorded runs" if runs is None else place.name
        results.append(
            window.compare(fresh_database(server), what, recordings, every=1, report=console.print)
        )
    elif runs is not None:
        sys.exit(f"{place} is not there.")
    else:
        console.print(f"the recorded runs are left out: {place} is not there")
    runs_made = window.short_runs(window.QUICK_RUNS if quick else window.HELD_RUNS)
    what = f"{len(runs_made)} short runs, held out"
    results.append(window.compare(fresh_database(server), what, runs_made, every=1, report=console.print))
    messages = window.QUICK_MESSAGES if quick else window.MESSAGES
    made = [window.generated(messages)]
    what = f"a session of {messages:,} messages"
    results.append(window.compare(fresh_database(server), what, made, every=EVERY, report=console.print))
    others = [
        window.compare(
            fresh_database(server),
            kind,
            window.other_runs(kind, window.QUICK_OTHERS if quick else window.HELD_OTHERS),
            every=1,
            report=console.print,
        )
        for kind in KINDS
    ]
    console.print(window.about_measure())
    console.print(_others(others))
    for result in results:
        console.print(_points(result))
    console.print(_goals(results))
    if keep:
        PLOT.write_text(window_plot.draw(results), encoding="utf-8")


def _points(result: window.Result) -> Table:
    table = Table(title=f"{result.what}, window {window.LIMIT:,}")
    for heading in ("way", "tokens a call", "of full", "most", "held", "held of far", "decisions", "calls"):
        table.add_column(heading, justify="left" if heading == "way" else "right")
    full = result.of("full history").tokens
    for point in result.points:
        held, needed = point.decisions
        table.add_row(
            point.name,
            f"{point.tokens:,.0f}",
            f"{point.tokens / full:.1%}",
            f"{point.most_tokens:,}",
            f"{point.share:.2%}",
            "–" if point.far is None else f"{point.far:.1%}",
            f"{held} of {needed}",
            f"{point.calls:,}",
        )
    return table


def _others(results: list[window.Result]) -> Table:
    """Runs of kinds that the policy was not made for: there are no goals for these."""
    table = Table(title=f"{window.OURS} on other kinds of runs, held out")
    for heading in (
        "runs",
        "tokens a call",
        "fewer than full",
        "at least",
        "held",
        "the last results at equal tokens",
    ):
        table.add_column(heading, justify="left" if heading == "runs" else "right")
    for result in results:
        full, ours = result.of("full history"), result.of(window.OURS)
        table.add_row(
            f"{result.what} ({result.sessions})",
            f"{ours.tokens:,.0f}",
            f"{1 - ours.tokens / full.tokens:.1%}",
            f"{result.least_saved:.1%}",
            f"{ours.share:.2%}",
            result.told_at("baseline", ours.tokens),
        )
    return table


def _goals(results: list[window.Result]) -> Table:
    table = Table(title=f"{window.OURS}: the goals")
    for heading in ("sessions", "goal", "found", ""):
        table.add_column(heading)
    for result in results:
        for goal, found, met in result.goals():
            table.add_row(result.what, goal, found, "met" if met else "missed")
    return table


def show_days(console: Console, server: str, *, quick: bool) -> None:
    """Five days of one session."""
    events = days.QUICK_EVENTS if quick else days.EVENTS
    found = days.five_days(fresh_database(server), events, console.print)
    took = f"{found.seconds / 60:.1f} minutes"
    table = Table(
        title=f"{found.events:,} events over {days.DAYS} simulated days, {found.calls:,} calls, in {took}"
    )
    for heading in ("what", "found", "goal", ""):
        table.add_column(heading)
    lost = found.decisions_made - found.decisions_in_record
    rows = [
        ("most tokens sent", f"{found.most_sent:,} of {found.limit:,}", "never over", found.over == 0),
        (
            "decisions in the record",
            f"{found.decisions_in_record:,} of {found.decisions_made:,}",
            "all",
            lost <= 0,
        ),
        (
            "memory after each tenth, MB",
            " ".join(map(str, found.memory)),
            "flat: at most a tenth more than after the first",
            max(found.memory) <= 1.1 * found.memory[0],
        ),
    ]
    first, last = found.timings.thousands[0], found.timings.last
    for how, (one, other) in (("", (first, last)), (", in turns with a new process", found.in_turns)):
        for name, what in _TIMED.items():
            began, ended = getattr(one, name), getattr(other, name)
            slower = getattr(other.beside(one), name)
            said = f"{began:.2f} ms in the first thousand, {ended:.2f} ms in the last: {slower:.2f} ×"
            rows.append((f"{what}{how}", said, "≤ 1.3 ×", slower <= 1.3))
    for what, value, goal, met in rows:
        table.add_row(what, value, goal, "met" if met else "missed")
    loops = [took.in_loops for took in (first, last)]
    said = f"{loops[0]:.1f} and {loops[1]:.1f}: {loops[1] / loops[0]:.2f} ×"
    table.add_row("before_call's processor time in loops that are always the same", said, "", "")
    if (full := found.timings.first_full) is not None:
        slower = last.beside(full)
        said = f"before_call {slower.check:.2f} ×, with its context {slower.whole:.2f} ×"
        table.add_row("the last thousand beside the first of a full window", said, "", "")
    table.add_row("what the checks did", ", ".join(f"{k} {v:,}" for k, v in found.actions.items()), "", "")
    console.print(table)
    console.print(_thousands(found.timings))


_TIMED = {
    "check": "a call's before_call, mean",
    "check_processor": "a call's before_call, processor time of the client",
    "whole": "a call with its context, mean",
    "whole_processor": "a call with its context, processor time of the client",
}


def _thousands(timings: days.Timings) -> Table:
    table = Table(title="Milliseconds a call, the mean of each thousand")
    headings = ("calls", "before_call", "its processor time", "with its context", "its processor time")
    for heading in (*headings, "the same loop", "before_call in loops"):
        table.add_column(heading)
    named = {str(number): took for number, took in enumerate(timings.thousands, 1)}
    if timings.first_full is not None:
        named["the first of a full window"] = timings.first_full
    named["the last"] = timings.last
    for name, took in named.items():
        table.add_row(name, *(f"{each:.2f}" for each in took), f"{took.in_loops:.1f}")
    return table
