"""`make bench`: tables, each line with its goal. `--quick` takes fewer rounds and smaller sizes."""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    batches,
    context,
    disk,
    feed_latency,
    growth,
    imports,
    lost_events,
    noticing,
    one_session,
    prefix,
    projecting,
    rebuild,
    server_share,
    throughput,
    tiers,
    transfers,
    window_report,
)
from benchmarks.contenders import create_raw_tables
from benchmarks.rivals import page, results
from benchmarks.server import empty_database, fresh_database, running_server

THREADS = ((1, 400), (16, 60), (32, 30))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="two rounds instead of five")
    arguments.add_argument(
        "--only",
        choices=[
            "append",
            "batch",
            "contended",
            "growth",
            "disk",
            "context",
            "rivals",
            "noticing",
            "reproduce",
            "import",
            "transfer",
            "tiers",
            "rebuild",
            "feed",
            "projections",
            "lost-events",
            "window",
            "days",
        ],
    )
    arguments.add_argument(
        "--events", type=int, help="events of the session for --only transfer: 600000 make 1 GB"
    )
    arguments.add_argument(
        "--runs", type=Path, help="other recorded runs for --only window: a transcript that can be imported"
    )
    arguments.add_argument(
        "--keep",
        action="store_true",
        help="add what was found beside the rivals to benchmarks/results, and draw the window's plot anew",
    )
    arguments.add_argument(
        "--publish", action="store_true", help="only make the page's table and the plot, from what is kept"
    )
    chosen = arguments.parse_args()
    if chosen.quick and chosen.keep:
        arguments.error("--keep keeps whole runs, not quick ones")
    if chosen.publish:
        page.publish(results.read_runs())
        return
    rounds = 2 if chosen.quick else throughput.ROUNDS
    # Written to a file, the tables need more than the 80 columns that are assumed there.
    console = Console() if sys.stdout.isatty() else Console(width=160)
    table = Table(title=f"Backstory beside its rivals, medians of {rounds} interleaved rounds")
    for heading in ("what", "measured", "against", "ratio", "goal"):
        table.add_column(heading)
    if chosen.only in (None, "noticing"):
        console.print(_noticing_table())
    if chosen.only == "noticing":
        return
    with running_server() as server:
        if chosen.only in ("window", "days"):
            _window_tables(console, server, chosen)
            return
        if chosen.only == "lost-events":
            _lost_events_table(console, server, quick=chosen.quick)
            return
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
        if chosen.only in (None, "context"):
            _context_rows(table, server, rounds, quick=chosen.quick)
        if chosen.only in (None, "import"):
            _import_rows(table, fresh_database(server))
        if chosen.only in (None, "transfer"):
            _transfer_rows(table, server, chosen.events or (20_000 if chosen.quick else 100_000))
        if chosen.only == "reproduce":
            # Random histories are those of the tests, so that this one needs their environment.
            from benchmarks import reproductions

            done = reproductions.reproductions(url, 500 if chosen.quick else 10_000)
            rate = f"{done.equal:,} of {done.made:,}, {done.made / done.seconds:,.0f}/s"
            table.add_row("contexts made again", rate, "–", "–", "all equal")
        if chosen.only in (None, "disk"):
            log, everything = disk.disk_ratio(fresh_database(server))
            table.add_row("disk, log and contents", f"{log:.2f} × the text", "–", "–", "≤ 2.3 ×")
            table.add_row("disk, everything", f"{everything:.2f} × the text", "–", "–", "≤ 3 ×")
        if chosen.only in (None, "tiers"):
            _tier_rows(table, server, quick=chosen.quick)
        if chosen.only in (None, "rebuild"):
            _rebuild_rows(table, server, rounds, quick=chosen.quick)
        if chosen.only in (None, "feed"):
            _feed_rows(table, fresh_database(server), quick=chosen.quick)
        if chosen.only in (None, "projections"):
            _projection_rows(table, fresh_database(server), rounds, quick=chosen.quick)
        if table.row_count:
            console.print(table)
        if chosen.only in (None, "rivals"):
            _rival_tables(console, server, quick=chosen.quick, keep=chosen.keep)


def _feed_rows(table: Table, url: str, *, quick: bool) -> None:
    for what, took in feed_latency.latencies(url, 40 if quick else 400).items():
        table.add_row(
            f"{what}: commit to reader", f"p50 {took.p50:.1f} ms, p99 {took.p99:.1f} ms", "–", "–", "–"
        )


def _projection_rows(table: Table, url: str, rounds: int, *, quick: bool) -> None:
    found = projecting.projection_rates(url, *((20_000, 1_000) if quick else (200_000, 5_000)), rounds)
    for what, rate in (("in Python", found.counting), ("in SQL", found.activity)):
        _row(table, f"feed projection, {what}", rate, "stock runner", found.stock, "≥ 20 ×, ≥ 20,000/s")


def _lost_events_table(console: Console, server: str, *, quick: bool) -> None:
    """It takes minutes, so that it is only made when it is asked for. Fails when an event was lost, or when none was
    without the line that keeps them."""
    table = Table(title="16 writers in 2 processes, pauses, aborted transactions, a reader that follows")
    for heading in ("append", "events", "aborted", "skipped", "twice", "out of order", "seconds"):
        table.add_column(heading)
    kept = lost_events.lost_events(fresh_database(server), 20_000 if quick else 500_000, say=_progress)
    # Postgres logs a sequence every 32 numbers and gives an id for that, so that only few at a time go without one.
    lost = lost_events.lost_events(fresh_database(server), 6_000, without_xid=True, together=4, say=_progress)
    for name, found in (("as it is", kept), ("its id after its position", lost)):
        table.add_row(
            name,
            f"{found.events:,}",
            f"{found.aborted:,}",
            f"{found.skipped:,}",
            f"{found.twice:,}",
            f"{found.disordered:,}",
            f"{found.seconds:.0f}",
        )
    console.print(table)
    if not kept.ok or not lost.skipped:
        sys.exit("an event was lost" if not kept.ok else "nothing was lost without the line: look again")


def _progress(said: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{said}   ", end="", file=sys.stderr, flush=True)


def _transfer_rows(table: Table, server: str, events: int) -> None:
    found = transfers.transfers(fresh_database(server), fresh_database(server), events)
    size = f"{found.events:,} events, {found.megabytes:,.0f} MB"
    packed = f"with zstd {found.export_zstd:.0f} MB/s, {found.ratio:.1f} × smaller"
    table.add_row(f"export, {size}", f"{found.export:.0f} MB/s", packed, "–", "–")
    table.add_row("import of that", f"{found.imported:.1f} MB/s", "–", "–", "–")
    table.add_row("audit of that", f"{found.audit:,.0f} events/s", f"{found.contexts:,} contexts", "–", "–")
    table.add_row("memory for all three", f"{found.grew:,.0f} MB more", "–", "–", "≤ 200 MB at any size")


def _import_rows(table: Table, url: str) -> None:
    found = imports.imports(url)
    if found is None:
        table.add_row("import of real runs", "needs ../shared/data", "–", "–", "–")
        return
    said = f"{found.lines:,} lines, {found.messages:,} messages, {found.sessions} sessions"
    table.add_row(
        "import of real runs", f"{said}: {found.messages_per_second:,.0f} messages/s", "–", "–", "–"
    )
    again = f"{found.equal} of {found.contexts} made again, first context {found.context_ms:.0f} ms"
    table.add_row("their contexts", again, "–", "–", "all equal")


def _window_tables(console: Console, server: str, chosen: argparse.Namespace) -> None:
    """They take many minutes, so that they are only made when they are asked for."""
    if chosen.only == "days":
        window_report.show_days(console, server, quick=chosen.quick)
    else:
        window_report.show_window(console, server, chosen.runs, quick=chosen.quick, keep=chosen.keep)


def _noticing_table() -> Table:
    table = Table(title="Noticed in labelled messages: what the rules were tuned on, and what was held out")
    for heading in ("what", "dev: precision", "recall", "labelled", "held: precision", "recall", "labelled"):
        table.add_column(heading)
    for row in noticing.report():
        table.add_row(*row)
    return table


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


def _context_rows(table: Table, server: str, rounds: int, *, quick: bool) -> None:
    events = context.QUICK_LONG if quick else context.LONG
    for budget, (small, large) in context.context_growth(fresh_database(server), rounds, events).items():
        table.add_row(
            f"context, budget {budget:,}, p50 at {events:,} events",
            f"{large:.2f} ms",
            f"{small:.2f} ms at {context.SHORT:,}",
            f"{large / small:.2f}",
            f"≤ 1.5 ×, {'met' if large / small <= 1.5 else 'missed'}",
        )
    for found in prefix.stable_prefixes(fresh_database(server)):
        table.add_row(
            f"stable prefix, {found.what}, {found.budget:,}, {found.policy}",
            f"{found.line(found.steady)}; all in {found.whole:.0%}",
            f"of the whole prompt: {found.line(found.cached)}",
            "–",
            "–",
        )


def _tier_rows(table: Table, server: str, *, quick: bool) -> None:
    found = tiers.recompute(fresh_database(server), 200 if quick else 1_000)
    table.add_row(
        f"tiers, {tiers.DUE:,} items due of {found.items:,}",
        f"{found.due * 1000:,.0f} ms, {found.nothing * 1000:.1f} ms with none due",
        f"weighing all {found.everything * 1000:,.0f} ms",
        f"{found.everything / found.due:.0f}",
        "≥ 50 ×",
    )
    few, many = tiers.due_at_once(fresh_database(server))
    table.add_row(
        "tiers, 10,000 items of one session due at once",
        f"{many * 1000:,.0f} ms",
        f"1,000 of one {few * 1000:,.0f} ms",
        f"{many / few:.1f}",
        "≤ 15 ×",
    )
    took = tiers.handling(fresh_database(server))
    table.add_row("tier look-up, 1,000 items, p50", f"{took.look_up:.2f} ms", "–", "–", "< 5 ms")
    table.add_row("load of the 50 HOT ones, p50", f"{took.load:.2f} ms", "–", "–", "–")
    table.add_row("flash save of 1,000 items", f"{took.flash_save:.0f} ms", "–", "–", "< 200 ms")
    table.add_row("diff of 1,000 items, 10 new, p50", f"{took.diff:.2f} ms", "–", "–", "< 10 ms")


def _rebuild_rows(table: Table, server: str, rounds: int, *, quick: bool) -> None:
    found = rebuild.rebuild(fresh_database(server), empty_database(server), rounds, quick=quick)
    for what, rate in (("every row lost", found.lost), ("nothing differs", found.compared)):
        _row(
            table,
            f"rebuild, {found.events:,} events, {what}",
            rate,
            "stock ProjectionRunner",
            found.stock,
            "≥ 20,000/s, ≥ 20 ×",
        )


def _rival_tables(console: Console, server: str, *, quick: bool, keep: bool) -> None:
    try:
        from benchmarks.rivals import measures, run
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here: `make bench` makes an environment that has it.")
    found = run.compare(server, measures.QUICK if quick else measures.Sizes(), console.print)
    console.print(results.store_table(found))
    console.print(results.goal_table(found))
    if keep:
        results.keep(found)


def _row(table: Table, what: str, ours: float, rival: str, theirs: float, goal: str) -> None:
    table.add_row(what, f"{ours:,.0f}/s", f"{rival} {theirs:,.0f}/s", f"{ours / theirs:.2f}", goal)


main()
