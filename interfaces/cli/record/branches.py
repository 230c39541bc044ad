"""`backstory backtrack` and `backstory fork`: going on from an earlier version."""

from typing import Annotated

import typer

from backstory.domain.errors import Conflict, NotFound
from backstory.interfaces.cli.commands import Actor, Json, Key, SessionName, Why, command, run_of, said_by
from backstory.interfaces.cli.look_back.states import Version
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.sessions import BacktrackDocument, ForkDocument
from backstory.interfaces.wording import short_id


@command(
    "backtrack",
    Manual(
        examples=('backstory backtrack last 7 --why "the gateway must not hold the key"',),
        document=BacktrackDocument,
        fails=(NotFound, Conflict),
        notes="Nothing is deleted. Backtracking to a version of the branch that was left brings it back.",
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
    with run.session(session) as found:
        done = said_by(found, actor, key).backtrack(version, why)
    if json:
        run.document(BacktrackDocument(session=found.id, version=done, to=version, abandoned=done - 1))
        return
    run.out.print(f"version {done}: the state at version {version} is current again")
    redo = f"backstory backtrack {short_id(found.id)} {done - 1} --why …"
    run.out.print(Text(f"to take it back: {redo}", "quiet"))


@command(
    "fork",
    Manual(
        examples=("backstory fork last", 'backstory fork last --at 7 --title "the same with EdDSA"'),
        document=ForkDocument,
        fails=(NotFound, Conflict),
        notes="No event is copied. What the parent does later does not reach the fork.",
    ),
)
def fork(
    context: typer.Context,
    session: SessionName,
    at: Annotated[int | None, typer.Option(metavar="VERSION", help="Where to begin. Otherwise now.")] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Its title. Otherwise the parent's.")
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="TEXT", help="The reason, for the record.")] = None,
    id: Annotated[str | None, typer.Option(metavar="UUID", help="Its id.")] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Begin another session with this one's history up to a version."""
    run = run_of(context)
    with run.session(session) as found:
        child = said_by(found, actor, None).fork(at, id=id, title=title, why=why)
        version = child.version
    if json:
        run.document(ForkDocument(session=child.id, version=version, parent=found.id, at=version - 1))
    else:
        run.out.print(Text(str(child.id)))
