"""`backstory replay`: steps through a session, with the changes of each event."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from backstory.application.queries.history import ReplayStep, SessionHistory
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.look_back.player import Player
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import AfterVersion, Json, SessionName, UptoVersion
from backstory.interfaces.cli.output.event_lines import event_line
from backstory.interfaces.cli.output.layout import indented
from backstory.interfaces.cli.output.state_view import change_lines, totals
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.states import StepDocument
from backstory.interfaces.wording import session_name

INDENT = 10
"""Columns before what changed, so that it stands below the event's type."""
CHANGES_SHOWN = 6


@command(
    "replay",
    Manual(
        examples=(
            "backstory replay last",
            "backstory replay last --all",
            "backstory replay last --after 10 --upto 20 --json",
        ),
        document=StepDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Keys on a terminal: `n` or → next, `p` or ← previous, `g` and a version to go there, `q` to quit. "
            "If the output is no terminal, and with `--all` or `--json`, every step is printed. `●` marks versions "
            "that lead to the newest one, `○` those of an abandoned branch."
        ),
    ),
)
def replay(
    context: typer.Context,
    session: SessionName,
    all: Annotated[bool, typer.Option("--all", help="Print every step instead of stepping.")] = False,
    after: AfterVersion = 0,
    upto: UptoVersion = None,
    json: Json = False,
) -> None:
    """Step through a session and show the changes of each event."""
    run = run_of(context)
    with run.history(session) as history:
        if not (all or json) and sys.stdin.isatty() and sys.stdout.isatty():
            Player(run.out, history, max(1, after + 1), upto).play()
            return
        if not json:
            run.out.print(replay_heading(history))
        for step in history.steps(after=after, upto=upto):
            if json:
                run.line(StepDocument.of_step(step))
            else:
                print_step(run.out, step)


def replay_heading(history: SessionHistory) -> Text:
    """The session's name and how long it is."""
    return Text.assemble(
        (session_name(history.summary), "heading"), (f"  {history.newest} versions", "quiet")
    )


def print_step(out: Console, step: ReplayStep) -> None:
    """Prints one step: the event, and below it its changes and the totals."""
    out.print(event_line(step.entry, out.width))
    lines = change_lines(step, out.width - INDENT)
    if not lines:
        return
    if len(lines) > CHANGES_SHOWN:
        rest = len(lines) - CHANGES_SHOWN + 1
        lines = [*lines[: CHANGES_SHOWN - 1], Text(f"… and {rest} more", "quiet")]
    total = Text(f"= {totals(step.after)}", "quiet")
    if lines[-1].cell_len + total.cell_len + 3 <= out.width - INDENT:
        lines[-1] = Text.assemble(lines[-1], "   ", total)
    else:
        lines.append(total)
    out.print(indented(lines, INDENT))
