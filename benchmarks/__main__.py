"""Measures Backstory on a Postgres of its own and prints each value beside its goal.

code, lost-events, noticing, page, research, search, transcripts, uncompact and window are not about speed alone and run
only when named.
"""

import argparse
import sys
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.table import Table

from benchmarks import (
    code_ranking,
    days,
    growth,
    lost_events,
    noticing,
    noticing_labels,
    page,
    projections,
    research,
    search_recall,
    search_speed,
    service,
    transcripts,
    uncompact,
    window,
    writers,
)
from benchmarks.goals import Row
from benchmarks.server import fresh_database, running_server


def _turns(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    try:
        from benchmarks import turns
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here: `make bench` makes an environment that has it.")
    yield from turns.append_and_turn_rows(server, rounds)
    yield turns.first_context_row(fresh_database(server), rounds)


def _storage(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    try:
        from benchmarks import storage
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here: `make bench` makes an environment that has it.")
    return storage.storage_rows(server)


def _writers(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    yield writers.writers_row(fresh_database(server), rounds)


def _versions(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    yield growth.any_version_row(fresh_database(server), rounds)


def _projections(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return projections.projection_rows(fresh_database(server), fresh_database(server), rounds, quick=quick)


def _days(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return days.days_rows(fresh_database(server), quick=quick)


def _search_speed(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return search_speed.search_rows(fresh_database(server), quick=quick)


def _code(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return code_ranking.code_rows(fresh_database(server), quick=quick)


def _service(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return service.service_rows(fresh_database(server), rounds, quick=quick)


def _lost_events(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return lost_events.lost_event_rows(fresh_database(server), fresh_database(server), quick=quick)


def _noticing(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    yield from noticing.noticing_rows()
    yield from noticing_labels.public_rows()


def _page(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    try:
        import playwright  # noqa: F401
    except ModuleNotFoundError:
        sys.exit("Playwright is not installed here: .venv/bin/python -m benchmarks --only page")
    return page.page_rows(fresh_database(server), quick=quick)


def _research(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return research.research_rows()


def _search(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return search_recall.recall_rows(lambda: fresh_database(server), quick=quick)


def _transcripts(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return transcripts.transcript_rows(lambda: fresh_database(server), quick=quick)


def _uncompact(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return uncompact.uncompact_rows(lambda: fresh_database(server))


def _window(server: str, rounds: int, quick: bool) -> Iterable[Row]:
    return window.window_rows(lambda: fresh_database(server), quick=quick)


SPEED: dict[str, Callable[[str, int, bool], Iterable[Row]]] = {
    "turns": _turns,
    "writers": _writers,
    "storage": _storage,
    "versions": _versions,
    "projections": _projections,
    "days": _days,
    "search-speed": _search_speed,
    "service": _service,
}
OTHERS = {
    "code": _code,
    "lost-events": _lost_events,
    "noticing": _noticing,
    "page": _page,
    "research": _research,
    "search": _search,
    "transcripts": _transcripts,
    "uncompact": _uncompact,
    "window": _window,
}

MET = {True: "yes", False: "no", None: "–"}


def main() -> None:
    arguments = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    arguments.add_argument(
        "--quick", action="store_true", help="two rounds instead of five, and smaller sizes"
    )
    arguments.add_argument(
        "--only", choices=[*SPEED, *OTHERS], metavar="NAME", help=", ".join((*SPEED, *OTHERS))
    )
    chosen = arguments.parse_args()
    rounds = 2 if chosen.quick else 5
    # A table in a file needs more than the 80 columns that are assumed there.
    console = Console() if sys.stdout.isatty() else Console(width=170)
    table = Table(title=f"Medians of {rounds} interleaved rounds")
    for heading in ("what", "measured", "goal", "met"):
        table.add_column(heading)
    measures = SPEED if chosen.only is None else {chosen.only: (SPEED | OTHERS)[chosen.only]}
    missed = False
    with running_server() as server:
        for name, measure in measures.items():
            console.print(f"measuring {name} …", style="dim")
            for row in measure(server, rounds, chosen.quick):
                table.add_row(row.what, row.measured, row.goal, MET[row.met])
                missed = missed or row.met is False
    console.print(table)
    # A speed goal that is missed is reported. A lost event is a failure.
    sys.exit(missed and chosen.only in OTHERS)


if __name__ == "__main__":
    main()
