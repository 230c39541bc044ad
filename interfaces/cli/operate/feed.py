"""`backstory feed`: the events of all sessions, and those that come; `feed-status`: how it stands."""

import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer
from rich.rule import Rule

from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.event_lines import TYPE_WIDTH
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.events import FeedEventDocument, FeedStatusDocument
from backstory.interfaces.wording import clock, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.feed.feed import FeedEvent


@command(
    "feed",
    Manual(
        examples=(
            "backstory feed --follow",
            "backstory feed --type decision.recorded --project orders",
            "backstory feed --after 1200 --follow --json",
        ),
        document=FeedEventDocument,
        lines=True,
        notes=(
            "Positions grow, and nothing ever appears below one that was printed, so that a reader who keeps the last "
            "position and goes on `--after` it misses nothing. With `--follow` it outlives a server that restarts; "
            "Ctrl-C ends it with exit code 0, and what holds the feed up is said on stderr."
        ),
    ),
)
def feed(
    context: typer.Context,
    after: Annotated[int, typer.Option(metavar="POSITION", help="Only above this position.")] = 0,
    type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Only this type of event; may be repeated.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of sessions that belong to this project.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with new events as they come.")
    ] = False,
    json: Json = False,
) -> None:
    """Print the events of all sessions, in the order of their positions."""
    run = run_of(context)
    day: date | None = None
    with (
        run.store() as store,
        run.warnings(),
        store.feed(after=after, types=type or (), project=project, follow=follow) as found,
    ):
        try:
            for entry in found:
                if json:
                    run.line(FeedEventDocument.of(entry))
                else:
                    if (when := entry.event.recorded_at).date() != day:
                        day = when.date()
                        run.out.print(Rule(f"{day} UTC", style="quiet", align="left", characters="─"))
                    run.out.print(_line(entry, run.out.width))
                if follow:
                    sys.stdout.flush()  # Whoever reads along must not wait for the next one.
        except KeyboardInterrupt:
            if not follow:
                raise


def _line(entry: "FeedEvent", width: int) -> Text:
    event = entry.event
    line = Text.assemble(
        (f"{entry.position:>8}  ", "version"),
        (clock(event.recorded_at) + "  ", "quiet"),
        (f"{short_id(entry.session)} {entry.version:>5}  ", "live"),
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
            "A transaction that has written something, on whatever database of the server, might still bring an event "
            "and holds the feed up until it ends. One session's `log --follow` does not wait for it."
        ),
    ),
)
def feed_status(context: typer.Context, json: Json = False) -> None:
    """Say how far the feed and its consumers have come, and who is in the way."""
    run = run_of(context)
    with run.store() as store:
        found = store.feed_status()
    if json:
        run.document(FeedStatusDocument.model_validate(found))
        return
    rows = [("feed", _standing(found.position, found.behind, found.seconds))]
    if found.stalled_by is not None:
        rows.append(("held by", Text(f"an open transaction of process {found.stalled_by}", "altered")))
    elif found.stalled_by_prepared is not None:
        said = f"the prepared transaction {found.stalled_by_prepared!r}"
        rows.append(("held by", Text(one_line(said), "altered")))
    for one in found.consumers:
        rows.append((one_line(one.name), _standing(one.position, one.behind, one.seconds)))
    run.out.print(columns([(Text(name, "quiet"), value) for name, value in rows], indent=0))


def _standing(position: int, behind: int, seconds: float) -> Text:
    if not behind:
        return Text(f"at {position:,}, up to date")
    return Text(f"at {position:,}, {behind:,} positions and {seconds:,.1f} s behind", "altered")
