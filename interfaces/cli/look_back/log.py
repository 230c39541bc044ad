"""`backstory log`: the events of a session, and those that come."""

import sys
from datetime import date
from typing import Annotated, Any

import typer
from rich.rule import Rule

from backstory.application.queries.history import LogEntry
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.event_lines import event_line, full_text
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.events import EventDocument

FULL_TEXT_INDENT = 10


@command(
    "log",
    Manual(
        examples=(
            "backstory log last",
            "backstory log last --type decision.recorded --actor planner --full",
            "backstory log last --after 100 --follow --json",
        ),
        document=EventDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "`●` marks events that lead to the newest version, `○` those of a branch that was left. With "
            "`--follow`, Ctrl-C ends the command with exit code 0."
        ),
    ),
)
def log(
    context: typer.Context,
    session: SessionName,
    type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Only this type of event; may be repeated.")
    ] = None,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this one did.")] = None,
    after: Annotated[int, typer.Option(metavar="VERSION", help="Only above this version.")] = 0,
    upto: Annotated[
        int | None, typer.Option(metavar="VERSION", help="Only up to this version; --follow ends there.")
    ] = None,
    branch: Annotated[
        bool, typer.Option("--branch", help="Only what leads to the newest version, or to --upto.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="All that events say, not a line of it.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with new events as they come.")
    ] = False,
    json: Json = False,
) -> None:
    """Print a session's events, oldest first, abandoned branches included."""
    run = run_of(context)
    with run.history(session) as history, run.warnings():
        wanted: dict[str, Any] = {"types": type or (), "actor": actor, "branch": branch}
        if follow:
            entries = history.followed(after=after, upto=upto, **wanted)
        else:
            entries = history.entries(after=after, upto=upto, **wanted)
        printer = _Printer(run, full)
        try:
            for entry in entries:
                if json:
                    run.line(EventDocument.of(entry))
                else:
                    printer.print(entry)
                if follow:
                    sys.stdout.flush()  # Whoever reads along must not wait for the next one.
        except KeyboardInterrupt:
            if not follow:
                raise
        if not json and not follow and printer.is_idle:
            run.out.print("no such events", style="quiet")


class _Printer:
    """Prints events a line each, and the date wherever it changes."""

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
            paragraph(out, (full_text(entry), "" if entry.live else "abandoned"), indent=FULL_TEXT_INDENT)
