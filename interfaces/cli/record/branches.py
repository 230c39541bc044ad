"""`backstory backtrack` and `backstory fork`: continue from an earlier version."""

from typing import Annotated

import typer

from backstory.domain.errors import Conflict, NotFound
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, Key, OptionalWhy, SessionName, Version, Why
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.sessions import BacktrackDocument, ForkDocument
from backstory.interfaces.wording import short_id


@command(
    "backtrack",
    Manual(
        examples=('backstory backtrack last 7 --why "the gateway must not hold the key"',),
        document=BacktrackDocument,
        fails=(NotFound, Conflict),
        notes="Nothing is deleted. Backtrack to a version of the abandoned branch to return to it.",
    ),
)
def backtrack(
    context: typer.Context,
    session: SessionName,
    version: Version,
    why: Why,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make the state at an earlier version current again."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        done = opened.backtrack(version, why)
    if json:
        run.document(BacktrackDocument(session=opened.id, version=done, to=version, abandoned=done - 1))
        return
    run.out.print(f"version {done}: the state at version {version} is current again")
    redo = f"backstory backtrack {short_id(opened.id)} {done - 1} --why …"
    run.out.print(Text(f"to undo: {redo}", "quiet"))


@command(
    "fork",
    Manual(
        examples=("backstory fork last", 'backstory fork last --at 7 --title "the same with EdDSA"'),
        document=ForkDocument,
        fails=(NotFound, Conflict),
        notes="No event is copied. Later events of the parent do not reach the fork.",
    ),
)
def fork(
    context: typer.Context,
    session: SessionName,
    at: Annotated[
        int | None, typer.Option(metavar="VERSION", help="The last version to share. Otherwise the newest.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The title. Otherwise the parent's.")
    ] = None,
    why: OptionalWhy = None,
    id: Annotated[str | None, typer.Option(metavar="UUID", help="The fork's id.")] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Start a session with the history of another one up to a version."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        child = opened.fork(at, id=id, title=title, why=why)
        version = child.version
    if json:
        run.document(ForkDocument(session=child.id, version=version, parent=opened.id, at=version - 1))
    else:
        run.out.print(Text(str(child.id)))
