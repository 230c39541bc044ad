"""`backstory purge`: removes a session, or the memory of a project, from the database."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.look_back.verify import asks_first
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Compress, Json, Yes
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import PurgeDocument
from backstory.interfaces.wording import short_id


@command(
    "purge",
    Manual(
        examples=(
            "backstory purge 0f3a --export archive/orders.jsonl.zst --zstd",
            "backstory purge 0f3a --without-export --yes --json",
            "backstory purge --memory-of shop --export archive/shop.jsonl",
        ),
        document=PurgeDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "The session is exported and the file audited before anything is removed; events written meanwhile stop "
            "the purge. The sessions of a purged memory stay. A tombstone with the final chain stays. A session with "
            "forks is refused, and they are named. `backstory import` restores it. On a terminal the command "
            "asks for confirmation."
        ),
    ),
)
def purge(
    context: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(metavar="[SESSION]", help="An id, a part of one, or last.", show_default=False),
    ] = None,
    memory_of: Annotated[
        str | None,
        typer.Option("--memory-of", metavar="PROJECT", help="The memory of this project, not a session."),
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to export it to.", show_default=False)
    ] = None,
    zstd: Compress = False,
    without_export: Annotated[
        bool, typer.Option("--without-export", help="Purge without an export.")
    ] = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Remove a whole session, or a project's memory, from the database, after an export."""
    if (session is None) == (memory_of is None):
        raise InvalidInput("session", "must be given, or --memory-of")
    if (export is None) != without_export:
        raise InvalidInput("export", "must name a file, unless --without-export is given")
    run = run_of(context)
    with run.store() as store, progress_bar(run, "exporting") as progress:
        opened = store.session(session or "last") if memory_of is None else store.project(memory_of)
        if not (yes or json) and asks_first():
            typer.confirm(f"Purge {opened.id}, {opened.version} versions, for good?", abort=True)
        if memory_of is None:
            done = store.purge(opened.id, export, without_export=without_export, zstd=zstd, progress=progress)
        else:
            done = store.purge_memory(memory_of, export, without_export=without_export, zstd=zstd)
    if json:
        run.document(PurgeDocument.model_validate(done))
        return
    kept = "without an export" if done.file is None else f"exported to {done.file}"
    run.out.print(f"purged {short_id(done.session)}, {done.version} versions, {kept}")
    run.out.print(Text(f"tombstone: {done.version}:{done.chain}", "quiet"))
