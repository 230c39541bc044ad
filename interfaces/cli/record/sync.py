"""`backstory sync`: sessions as files."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, OptionalSessions
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import SyncDocument
from backstory.interfaces.wording import counted, one_line


@command(
    "sync",
    Manual(
        examples=(
            "backstory sync .context",
            "backstory sync .context --all",
            "backstory sync .context --project shop --actor ana",
            "backstory sync .context last 4c1f09e2b7aa --agent planner --json",
        ),
        document=SyncDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "Sessions that are in the folder already are updated too, so that erased contents leave its files. "
            "Without SESSION, `--project` and `--all`, the session is `last`. Edits of memory files become events of "
            "their project; a file that cannot be read is refused with its line, and nothing changes."
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
    project: Annotated[
        list[str] | None,
        typer.Option("--project", metavar="NAME", help="The memory of this project, too; may be repeated."),
    ] = None,
    actor: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who edited the memory files; otherwise the owner of each."),
    ] = None,
    json: Json = False,
) -> None:
    """Write sessions and memory to files, and read back what people edited in memory files."""
    if all_ and session:
        raise InvalidInput("--all", "must not be given together with sessions")
    run = run_of(context)
    with run.store() as store:
        wanted = None
        if not all_:
            named = session or ([] if project else ["last"])
            wanted = [store.find(one) for one in named]
        done = store.sync(directory, wanted, projects=project or (), agent=agent, by=actor)
    if json:
        run.document(SyncDocument.model_validate(done))
        return
    line = f"{counted(len(done.sessions), 'session')} in {done.directory}: "
    line += f"{counted(len(done.written), 'file')} written, {len(done.removed)} removed, {done.unchanged} unchanged"
    run.out.print(line, soft_wrap=True)
    if done.edits:
        run.out.print(f"{counted(done.edits, 'edit')} of memory files recorded")
    for conflict in done.conflicts:
        run.out.print(
            Text(f"M{conflict.memory} in {one_line(conflict.file)}: {conflict.what}", "altered"),
            soft_wrap=True,
        )
    for refused in done.refused:
        run.out.print(Text(f"left as it is: {one_line(refused)}", "altered"), soft_wrap=True)
