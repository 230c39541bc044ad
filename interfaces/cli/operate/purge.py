"""`backstory purge`: removes a session from the database."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.look_back.verify import asks_first
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Compress, Json, SessionName, Yes
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
        ),
        document=PurgeDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "The session is exported and the file audited before anything is removed; events written meanwhile stop "
            "the purge. A tombstone with the final chain stays. A session with forks is refused, and they are named. "
            "`backstory import` restores it. On a terminal the command asks for confirmation."
        ),
    ),
)
def purge(
    context: typer.Context,
    session: SessionName,
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
    """Remove a whole session from the database, after an export."""
    if (export is None) != without_export:
        raise InvalidInput("export", "must name a file, unless --without-export is given")
    run = run_of(context)
    with run.store() as store, progress_bar(run, "exporting") as progress:
        opened = store.session(session)
        if not (yes or json) and asks_first():
            typer.confirm(f"Purge {opened.id}, {opened.version} versions, for good?", abort=True)
        done = store.purge(opened.id, export, without_export=without_export, zstd=zstd, progress=progress)
    if json:
        run.document(PurgeDocument.model_validate(done))
        return
    kept = "without an export" if done.file is None else f"exported to {done.file}"
    run.out.print(f"purged {short_id(done.session)}, {done.version} versions, {kept}")
    run.out.print(Text(f"tombstone: {done.version}:{done.chain}", "quiet"))
