"""The page's table and the plot, made from the runs that are kept."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.plot import draw
from benchmarks.rivals.results import Run, goals, headings, lines

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "performance.md"
PLOT = ROOT / "docs" / "images" / "full-turn.svg"
_BEGIN, _END = "<!-- rivals: made by `python -m benchmarks --publish` -->", "<!-- rivals: end -->"


def publish(runs: Sequence[Run]) -> None:
    PAGE.write_text(with_tables(PAGE.read_text(), runs))
    PLOT.write_text(draw(runs))


def with_tables(page: str, runs: Sequence[Run]) -> str:
    """The page with the tables of these runs in their place."""
    before, rest = page.split(_BEGIN)
    _, after = rest.split(_END)
    return f"{before}{_BEGIN}\n{tables(runs)}\n{_END}{after}"


def tables(runs: Sequence[Run]) -> str:
    about = runs[-1]["about"]
    versions = ", ".join(
        f"{name} {version}" for name, version in about["versions"].items() if name != "backstory"
    )
    return "\n\n".join(
        (
            _markdown(headings(runs[0]), lines(runs)),
            _markdown(["what", "ratio", "against", "goal", "met"], _goal_lines(runs)),
            f"{_runs(len(runs))}, each the median of {about['rounds']} rounds, on {about['cores']} cores, "
            f"Python {about['python']}, Postgres {about['postgres']['server_version']} with fsync and "
            f"synchronous_commit {about['postgres']['synchronous_commit']}; {versions}."
            f"{_load(runs)}",
        )
    )


def _goal_lines(runs: Sequence[Run]) -> list[list[str]]:
    shown = []
    for same in zip(*map(goals, runs), strict=True):
        ratios = [f"{ratio:.2f}" for ratio in sorted(goal.ratio for goal in same)]
        met = sum(goal.met for goal in same)
        shown.append(
            [
                same[0].what,
                ratios[0] if ratios[0] == ratios[-1] else f"{ratios[0]}–{ratios[-1]}",
                "; ".join(dict.fromkeys(goal.rival for goal in same)),
                same[0].promise,
                "yes" if met == len(same) else f"in {met} of {len(same)} runs" if met else "no",
            ]
        )
    return shown


def _load(runs: Sequence[Run]) -> str:
    """How busy the machine was in each run, of which the benchmark itself is one or two."""
    loads = [str(run["about"]["load"]) for run in runs if "load" in run["about"]]
    return f" Load of the machine: {', '.join(loads)}." if loads else ""


def _runs(number: int) -> str:
    return "One run" if number == 1 else f"Ranges over {number} runs"


def _markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heading, ["---"] * len(heading), *rows))
