"""`backstory feed`: the events of all sessions. `feed-status`: its progress."""

import sys
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.rule import Rule

from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import (
    Follow,
    Json,
    Limit,
    OnlyActor,
    OnlyProject,
    OnlyTypes,
    Since,
    Until,
)
from backstory.interfaces.cli.output.event_lines import TYPE_WIDTH, full_text
from backstory.interfaces.cli.output.layout import ROWS, Cell, newest_of, paragraph, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.events import FeedEventDocument, FeedStatusDocument
from backstory.interfaces.wording import clock, one_line, short_id

TEXT_INDENT = 10

if TYPE_CHECKING:
    from backstory.application.feed.feed import FeedEvent


@command(
    "feed",
    Manual(
        examples=(
            "backstory feed --follow",
            "backstory feed --type decision.recorded --project orders",
            "backstory feed --since 2h --actor planner",
            "backstory feed --after 1200 --follow --json --texts",
        ),
        document=FeedEventDocument,
        lines=True,
        notes=(
            "The newest 20 events, or all of them with `--json`. Positions only grow: a reader that keeps the last "
            "position and continues `--after` it misses nothing. `--follow` survives a restart of the server and "
            "names a transaction that holds up the feed on stderr; Ctrl-C ends it with exit code 0."
        ),
    ),
)
def feed(
    context: typer.Context,
    after: Annotated[int, typer.Option(metavar="POSITION", help="Only above this position.")] = 0,
    type: OnlyTypes = None,
    project: OnlyProject = None,
    actor: OnlyActor = None,
    since: Since = None,
    until: Until = None,
    texts: Annotated[
        bool, typer.Option("--texts", help="Print each event's texts too; with --json, all its contents.")
    ] = False,
    limit: Limit = None,
    follow: Follow = False,
    json: Json = False,
) -> None:
    """Print the newest events of all sessions, the newest last."""
    run = run_of(context)
    most = limit or (None if json else ROWS)
    with run.store() as store, run.warnings():
        chosen: dict[str, Any] = {
            "types": type or (),
            "project": project,
            "actor": actor,
            "since": since,
            "until": until,
        }
        if most and not after and not any(chosen.values()):
            # Few positions stay unused, so what is not printed need not be read.
            after = max(0, store.feed_status().newest - 10 * most)
        with store.feed(after=after, **chosen, contents=texts, follow=follow) as found:
            events: Iterable[FeedEvent] = found
            if not follow:
                events, earlier = newest_of(found, most)
                if not json and (earlier or (events and after)):
                    run.out.print(Text(f"… earlier events: --limit {2 * len(events)}", "quiet"))
            _print_events(run, events, follow=follow, texts=texts)


def _print_events(run: Run, events: Iterable["FeedEvent"], *, follow: bool, texts: bool) -> None:
    day: date | None = None
    try:
        for entry in events:
            if run.json:
                run.line(FeedEventDocument.of(entry, contents=texts))
            else:
                if day is None:
                    heading = (
                        f"position  time      session      version  {'type':<{TYPE_WIDTH}} project  actor"
                    )
                    run.out.print(Text(heading, "quiet", no_wrap=True))
                if (when := entry.event.occurred_at).date() != day:
                    day = when.date()
                    run.out.print(Rule(f"{day} UTC", style="quiet", align="left", characters="─"))
                run.out.print(_line(entry, run.out.width))
                if entry.contents:
                    paragraph(run.out, full_text(entry.contents), indent=TEXT_INDENT)
            if follow:
                sys.stdout.flush()  # A reader must not wait for the next event.
    except KeyboardInterrupt:
        if not follow:
            raise


def _line(entry: "FeedEvent", width: int) -> Text:
    event = entry.event
    line = Text.assemble(
        (f"{entry.position:>8}  ", "version"),
        (clock(event.occurred_at) + "  ", "quiet"),
        (f"{short_id(entry.session)} {entry.version:>7}  ", "live"),
        (f"{one_line(entry.type):<{TYPE_WIDTH}} ", "type"),
        (one_line(entry.project or ""), "quiet"),
        f"  {one_line(event.actor)}" if event.actor else "",
    )
    line.no_wrap = True
    line.truncate(width, overflow="ellipsis")
    return line


@command(
    "feed-status",
    Manual(
        examples=("backstory feed-status", "backstory feed-status --json"),
        document=FeedStatusDocument,
        notes=(
            "An open transaction that has written, in any database of the server, holds up the feed until it ends, "
            "since it might still append an event. `log --follow` of one session does not wait for it."
        ),
    ),
)
def feed_status(context: typer.Context, json: Json = False) -> None:
    """Show the progress of the feed and its consumers, and what holds it up."""
    run = run_of(context)
    with run.store() as store:
        status = store.feed_status()
    if json:
        run.document(FeedStatusDocument.model_validate(status))
        return
    rows: list[list[Cell]] = [["feed", *_standing(status.position, status.behind, status.seconds)]]
    rows += [
        [one_line(one.name), *_standing(one.position, one.behind, one.seconds)] for one in status.consumers
    ]
    print_table(run.out, ("reader", "position", "behind", "seconds"), rows, right=(1, 2, 3), how="see --json")
    if status.stalled_by is not None:
        run.out.print(Text(f"held by an open transaction of process {status.stalled_by}", "altered"))
    elif status.stalled_by_prepared is not None:
        run.out.print(Text(f"held by the prepared transaction {status.stalled_by_prepared!r}", "altered"))


def _standing(position: int, behind: int, seconds: float) -> list[Text]:
    late = "altered" if behind else ""
    return [Text(f"{position:,}"), Text(f"{behind:,}", late), Text(f"{seconds:,.1f}" if behind else "", late)]
