"""`backstory status` and `backstory usage`: how full a session's windows are and were."""

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from backstory.application.queries.session_list import summary_of
from backstory.application.queries.status import session_status
from backstory.application.session import Session
from backstory.domain.errors import InvalidInput, NotFound, VerificationFailed
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import (
    AfterVersion,
    Json,
    OptionalSession,
    SessionName,
    UptoVersion,
    Window,
)
from backstory.interfaces.cli.output.stop import until_told
from backstory.interfaces.cli.run import Run
from backstory.interfaces.cli.window.status_view import status_view
from backstory.interfaces.cli.window.usage_plot import svg_plot, terminal_plot
from backstory.interfaces.documents.window import StatusDocument, UsagePointDocument
from backstory.interfaces.wording import session_name

POLL_SECONDS, A_MOMENT = 0.5, 0.001


@command(
    "status",
    Manual(
        examples=("backstory status", "backstory status last --watch", "backstory status 1b2c --json"),
        document=StatusDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Without a session, of the last one used. The bar shows how full each window is; ticks are the thresholds "
            "of its policy. With `--watch` the status is printed again after every new event, until Ctrl-C; with "
            "`--json`, one document a line."
        ),
    ),
)
def status(
    context: typer.Context,
    session: OptionalSession = None,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Print again after each event, until Ctrl-C.")
    ] = False,
    upto: Annotated[
        int | None, typer.Option(metavar="VERSION", help="With --watch: end at this version.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a session's windows, tiers, decisions, questions and alerts."""
    if upto is not None and not watch:
        raise InvalidInput("upto", "needs --watch")
    run = run_of(context)
    with run.session(session or "last") as opened:
        if not watch:
            _print_once(run, opened, json)
            return
        with suppress(KeyboardInterrupt), until_told(again=_interrupt) as told:
            _watch(run, opened, upto, json, told)


def _interrupt() -> None:
    raise KeyboardInterrupt


def _print_once(run: Run, session: Session, json: bool) -> None:
    status = session_status(session)
    if json:
        run.document(StatusDocument.of(status))
    else:
        name = session_name(summary_of(session))
        run.out.print(status_view(status, name, datetime.now(UTC)))


def _watch(run: Run, session: Session, upto: int | None, json: bool, told: Callable[[float], bool]) -> None:
    """Prints the status whenever the version changed, until it is told to stop. It is told by a flag, since an
    interrupt during a read could be lost."""
    shown = 0
    # Only a terminal can be drawn over. Elsewhere each status is printed below the last one.
    live = Live(console=run.out, auto_refresh=False) if run.out.is_terminal and not json else None
    if live is not None:
        live.start()
    try:
        while upto is None or shown < upto:
            same = (newest := session.version) == shown
            sys.stdout.flush()
            if told(POLL_SECONDS if same else A_MOMENT):
                break
            if same:
                continue
            status = session_status(session)
            shown, name = max(newest, status.version), session_name(summary_of(session))
            if live is not None:
                live.update(status_view(status, name, datetime.now(UTC)), refresh=True)
            elif json:
                run.line(StatusDocument.of(status))
            else:
                run.out.print(status_view(status, name, datetime.now(UTC)))
    finally:
        if live is not None:
            live.stop()


@command(
    "usage",
    Manual(
        examples=(
            "backstory usage last",
            "backstory usage last --after 1000 --svg usage.svg",
            "backstory usage last --json",
        ),
        document=UsagePointDocument,
        lines=True,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Each column of the plot is the highest usage of its versions, in the colour of its zone. Abandoned "
            "branches are part of it, so the line jumps at a backtrack."
        ),
    ),
)
def usage(
    context: typer.Context,
    session: SessionName,
    window: Window = MAIN_WINDOW,
    after: AfterVersion = 0,
    upto: UptoVersion = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the plot to an SVG file.")] = None,
    json: Json = False,
) -> None:
    """Plot a window's tokens over a session's versions."""
    run = run_of(context)
    with run.session(session) as opened:
        points = opened.window.usage(window, after=after, upto=upto)
        about = session_status(opened)
    if not points:
        raise InvalidInput("after", f"leaves no version: the session has {about.version}")
    if svg is not None:
        _write_plot(svg, svg_plot(points, about.policy, about.title or str(opened.id), window))
    if json:
        for point in points:
            run.line(UsagePointDocument.of(point))
    elif svg is not None:
        run.out.print(f"written to {svg}", soft_wrap=True)
    else:
        run.out.print(terminal_plot(points, about.policy, run.out.width))


def _write_plot(place: Path, picture: str) -> None:
    try:
        place.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InvalidInput("svg", f"{str(place)!r} cannot be written: {error.strerror}") from None
