"""`backstory sync`: sessions as files."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, OptionalSessions
from backstory.interfaces.documents.transfer import SyncDocument
from backstory.interfaces.wording import counted


@command(
    "sync",
    Manual(
        examples=(
            "backstory sync .context",
            "backstory sync .context --all",
            "backstory sync .context last 4c1f09e2b7aa --agent planner --json",
        ),
        document=SyncDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "Sessions that are in the folder already are updated too, so that erased contents leave its files. "
            "Without SESSION and `--all`, the session is `last`."
        ),
    ),
)
def sync_sessions(
    context: typer.Context,
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder. Created if it is missing.", show_default=False)
    ],
    session: OptionalSessions = None,
    all_: Annotated[bool, typer.Option("--all", help="All sessions.")] = False,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Include items private to this agent.")
    ] = None,
    json: Json = False,
) -> None:
    """Write sessions to files that other tools read."""
    if all_ and session:
        raise InvalidInput("--all", "must not be given together with sessions")
    run = run_of(context)
    with run.store() as store:
        wanted = None
        if not all_:
            wanted = [store.find(one) for one in session or ["last"]]
        done = store.sync(directory, wanted, agent=agent)
    if json:
        run.document(SyncDocument.model_validate(done))
        return
    line = f"{counted(len(done.sessions), 'session')} in {done.directory}: "
    line += f"{counted(len(done.written), 'file')} written, {len(done.removed)} removed, {done.unchanged} unchanged"
    run.out.print(line, soft_wrap=True)
