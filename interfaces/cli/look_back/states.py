"""`backstory at` and `backstory diff`: states and their differences."""

from typing import Annotated

import typer

from backstory.application.branches.diff import diff_states
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, Limit, SessionName, Version
from backstory.interfaces.cli.output.state_view import diff_view, state_view
from backstory.interfaces.documents.states import DiffDocument, StateDocument
from backstory.interfaces.wording import session_name


@command(
    "at",
    Manual(
        examples=("backstory at last 7", "backstory at last 7 --json"),
        document=StateDocument,
        fails=(NotFound, VerificationFailed),
    ),
)
def at(
    context: typer.Context, session: SessionName, version: Version, limit: Limit = None, json: Json = False
) -> None:
    """Show a session's state at a version."""
    run = run_of(context)
    with run.history(session) as history:
        readable = history.state(version)
        if json:
            run.document(StateDocument.of(readable))
        else:
            run.out.print(state_view(readable, session_name(history.summary), history.newest, limit))


@command(
    "diff",
    Manual(
        examples=("backstory diff last 7 12", "backstory diff last 12 18 --json"),
        document=DiffDocument,
        fails=(NotFound, VerificationFailed),
        notes="The versions may be on different branches.",
    ),
)
def diff(
    context: typer.Context,
    session: SessionName,
    first: Annotated[int, typer.Argument(metavar="V1", help="The first version.", show_default=False)],
    second: Annotated[int, typer.Argument(metavar="V2", help="The second version.", show_default=False)],
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Show the changes between two versions: items, decisions, goals, tokens."""
    run = run_of(context)
    with run.history(session) as history:
        before, after = history.state(first), history.state(second)
        difference = diff_states(before.state, after.state)
        if json:
            run.document(DiffDocument.between(history.session, difference, before, after))
        else:
            run.out.print(diff_view(difference, before, after, limit))
