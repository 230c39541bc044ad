"""`backstory at` and `backstory diff`: what the context was, and what became of it."""

from typing import Annotated

import typer

from backstory.application.branches.diff import diff_states
from backstory.domain.errors import NotFound, VerificationFailed
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.state_view import diff_view, state_view
from backstory.interfaces.documents.states import DiffDocument, StateDocument

Version = Annotated[
    int, typer.Argument(metavar="VERSION", help="A version, on whatever branch.", show_default=False)
]


@command(
    "at",
    Manual(
        examples=("backstory at last 7", "backstory at last 7 --json"),
        document=StateDocument,
        fails=(NotFound, VerificationFailed),
    ),
)
def at(context: typer.Context, session: SessionName, version: Version, json: Json = False) -> None:
    """Show the context as it was at a version."""
    run = run_of(context)
    with run.history(session) as history:
        readable = history.state(version)
        if json:
            run.document(StateDocument.of(readable))
        else:
            run.out.print(state_view(readable, history.newest))


@command(
    "diff",
    Manual(
        examples=("backstory diff last 7 12", "backstory diff last 12 18 --json"),
        document=DiffDocument,
        fails=(NotFound, VerificationFailed),
        notes="The versions may be on different branches: then it is what one has and the other has not.",
    ),
)
def diff(
    context: typer.Context,
    session: SessionName,
    first: Annotated[
        int, typer.Argument(metavar="V1", help="The version to start from.", show_default=False)
    ],
    second: Annotated[int, typer.Argument(metavar="V2", help="The version to compare.", show_default=False)],
    json: Json = False,
) -> None:
    """Show what changed between two versions: items in and out, decisions, goals, tokens."""
    run = run_of(context)
    with run.history(session) as history:
        before, after = history.state(first), history.state(second)
        found = diff_states(before.state, after.state)
        if json:
            run.document(DiffDocument.between(history.session, found, before, after))
        else:
            run.out.print(diff_view(found, before, after))
