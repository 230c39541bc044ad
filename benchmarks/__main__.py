"""`make bench`: one table, each line with its goal. `--quick` takes fewer rounds."""

import argparse

from rich.console import Console
from rich.table import Table

from benchmarks import batches, disk, growth, one_session, server_share, throughput
from benchmarks.contenders import create_raw_tables
from benchmarks.server import fresh_database, running_server

THREADS = ((1, 400), (16, 60), (32, 30))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="two rounds instead of five")
    arguments.add_argument("--only", choices=["append", "batch", "contended", "growth", "disk"])
    chosen = arguments.parse_args()
    rounds = 2 if chosen.quick else throughput.ROUNDS
    console = Console()
    table = Table(title=f"Backstory beside its rivals, medians of {rounds} interleaved rounds")
    for heading in ("what", "measured", "against", "ratio", "goal"):
        table.add_column(heading)
    with running_server() as server:
        url = fresh_database(server)
        create_raw_tables(url)
        if chosen.only in (None, "append"):
            _append_rows(console, table, url, rounds)
        if chosen.only in (None, "batch"):
            rates = batches.events_per_second(url, rounds)
            _row(
                table,
                "append, 100 events a commit",
                rates["backstory"],
                "raw COPY",
                rates["raw COPY"],
                "≥ 0.4",
            )
        if chosen.only in (None, "contended"):
            rate, lost = one_session.contended_appends(url, rounds)
            table.add_row(
                "8 writers on one session", f"{rate:,.0f}/s, {lost} lost", "–", "–", "≥ 1,000/s, none lost"
            )
        if chosen.only in (None, "growth"):
            _growth_rows(table, fresh_database(server), rounds)
        if chosen.only in (None, "disk"):
            log, everything = disk.disk_ratio(fresh_database(server))
            table.add_row("disk, log and contents", f"{log:.2f} × the text", "–", "–", "≤ 2.3 ×")
            table.add_row("disk, everything", f"{everything:.2f} × the text", "–", "–", "≤ 3 ×")
    console.print(table)


def _append_rows(console: Console, table: Table, url: str, rounds: int) -> None:
    goals = {"raw event row": "≥ 0.6", "raw same rows": "≥ 1.5 ×", "stock eventsourcing": "≥ 4 ×"}
    for threads, each in THREADS:
        rates = throughput.compare(url, threads, each, rounds)
        for rival, goal in goals.items():
            if rival == "stock eventsourcing" and threads == 1:
                goal = "–"
            _row(table, f"append, {threads} threads", rates["backstory"], rival, rates[rival], goal)
    share = Table(title="Processor time an append, one thread, µs")
    for heading in ("contender", "server", "client"):
        share.add_column(heading)
    for name, (server, client) in server_share.shares(url).items():
        share.add_row(name, f"{server:.0f}", f"{client:.0f}")
    console.print(share)


def _growth_rows(table: Table, url: str, rounds: int) -> None:
    goals = {"append": "≤ 1.2 ×", "state": "≤ 1.5 ×, ≤ 10 ms", "at(any version)": "≤ 1.5 ×, ≤ 10 ms"}
    sizes = {"append": "100"}
    for name, (small, large) in growth.growth(url, rounds).items():
        table.add_row(
            f"{name}, p50 at 100,000 events",
            f"{large:.2f} ms",
            f"{small:.2f} ms at {sizes.get(name, '1,700')}",
            f"{large / small:.2f}",
            goals[name],
        )


def _row(table: Table, what: str, ours: float, rival: str, theirs: float, goal: str) -> None:
    table.add_row(what, f"{ours:,.0f}/s", f"{rival} {theirs:,.0f}/s", f"{ours / theirs:.2f}", goal)


main()
