"""`backstory purge`: a session out of the database for good, and into a file."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.look_back.verify import asks_first
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.operate.exports import Compress, events_shown
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
            "The session is exported and the file audited before anything is removed; what was written to it meanwhile "
            "stops the purge. A tombstone stays, with the final chain. A session that others began in is refused, "
            "and they are named. `backstory import` brings it back as it was. On a terminal it asks first."
        ),
    ),
)
def purge(
    context: typer.Context,
    session: SessionName,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep it.", show_default=False)
    ] = None,
    zstd: Compress = False,
    without_export: Annotated[bool, typer.Option("--without-export", help="Keep it nowhere.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, though this is a terminal.")] = False,
    json: Json = False,
) -> None:
    """Remove a whole session from the database, after it was exported."""
    from backstory.application.queries.lookup import find_session

    if (export is None) != without_export:
        raise InvalidInput("export", "must name a file, or --without-export say that there is to be none")
    run = run_of(context)
    with run.store() as store, events_shown(run, "exporting") as progress:
        found = store.session(find_session(store, session))
        if not (yes or json) and asks_first():
            typer.confirm(f"Purge {found.id}, {found.version} versions, for good?", abort=True)
        done = store.purge(found.id, export, without_export=without_export, zstd=zstd, progress=progress)
    if json:
        run.document(PurgeDocument.model_validate(done))
        return
    kept = "kept nowhere" if done.file is None else f"kept in {done.file}"
    run.out.print(f"purged {short_id(done.session)}, {done.version} versions, {kept}")
    run.out.print(Text(f"its tombstone: {done.version}:{done.chain}", "quiet"))
