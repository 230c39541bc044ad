"""`backstory log`: the events of a session."""

import sys
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any

import typer
from rich.rule import Rule

from backstory.application.queries.history import LogEntry
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import (
    AfterVersion,
    Follow,
    Json,
    Limit,
    OnlyActor,
    OnlyTypes,
    SessionName,
    Since,
    Until,
)
from backstory.interfaces.cli.output.event_lines import event_line, full_text
from backstory.interfaces.cli.output.layout import ROWS, earlier_line, newest_of, paragraph
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.events import EventDocument

FULL_TEXT_INDENT = 10


@command(
    "log",
    Manual(
        examples=(
            "backstory log last",
            "backstory log last --type decision.recorded --actor planner --full",
            "backstory log last --since 2026-11-09T12:00 --until 2h",
            "backstory log last --after 100 --follow --json",
        ),
        document=EventDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "The newest 20 events, or all of them with `--json`. `●` marks events that lead to the newest version, "
            "`○` those of an abandoned branch. With `--follow`, Ctrl-C ends the command with exit code 0."
        ),
    ),
)
def log(
    context: typer.Context,
    session: SessionName,
    type: OnlyTypes = None,
    actor: OnlyActor = None,
    since: Since = None,
    until: Until = None,
    after: AfterVersion = 0,
    upto: Annotated[
        int | None, typer.Option(metavar="VERSION", help="Only up to this version; --follow ends there.")
    ] = None,
    branch: Annotated[
        bool, typer.Option("--branch", help="Only events that lead to the newest version, or to --upto.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Print whole texts, not one line of each.")] = False,
    limit: Limit = None,
    follow: Follow = False,
    json: Json = False,
) -> None:
    """Print the newest events of a session, the newest last."""
    run = run_of(context)
    most = limit or (None if json else ROWS)
    chosen: dict[str, Any] = {
        "types": type or (),
        "actor": actor,
        "since": since,
        "until": until,
        "branch": branch,
    }
    with run.history(session) as history, run.warnings():
        first, earlier = after, 0
        if most and not any(chosen.values()):
            # Versions have no gaps, so what is not printed need not be read.
            first = max(after, min(upto or history.newest, history.newest) - most)
            earlier = first - after
        entries: Iterable[LogEntry] = (history.followed if follow else history.entries)(
            after=first, upto=upto, **chosen
        )
        if not follow:
            entries, skipped = newest_of(entries, most)
            earlier += skipped
        printer = _Printer(run, full)
        if earlier and not json:
            run.out.print(earlier_line(earlier, most or 0, "events"))
        try:
            for entry in entries:
                if json:
                    run.line(EventDocument.of(entry))
                else:
                    printer.print(entry)
                if follow:
                    sys.stdout.flush()  # A reader must not wait for the next event.
        except KeyboardInterrupt:
            if not follow:
                raise
        if not json and not follow and printer.is_idle:
            run.out.print("no such events", style="quiet")


class _Printer:
    """Prints events one a line, and the date where it changes."""

    def __init__(self, run: Run, full: bool) -> None:
        self._run = run
        self._full = full
        self._day: date | None = None

    @property
    def is_idle(self) -> bool:
        return self._day is None

    def print(self, entry: LogEntry) -> None:
        out = self._run.out
        day = entry.event.occurred_at.date()
        if day != self._day:
            self._day = day
            out.print(Rule(f"{day} UTC", style="quiet", align="left", characters="─"))
        out.print(event_line(entry, out.width))
        if self._full and entry.contents:
            paragraph(
                out, (full_text(entry.contents), "" if entry.live else "abandoned"), indent=FULL_TEXT_INDENT
            )
