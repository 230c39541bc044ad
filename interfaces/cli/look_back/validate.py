"""`backstory validate`: checks the context document of a session."""

from typing import Annotated

import typer

from backstory.domain.errors import NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, SessionName
from backstory.interfaces.documents.states import ValidationDocument
from backstory.interfaces.wording import counted


@command(
    "validate",
    Manual(
        examples=("backstory validate last", "backstory validate last --since 12 --json"),
        document=ValidationDocument,
        fails=(NotFound, Refused),
        notes=(
            "Builds the session's current-context.json and checks its rules: no required field is missing, the used "
            "tokens are the sum of all live items, the layer has its own name, and no decision was lost. A sync and "
            "every compaction check them too. A broken rule ends the command with 4 and names the field."
        ),
    ),
)
def validate(
    context: typer.Context,
    session: SessionName,
    at: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="The document of this version. Otherwise the newest."),
    ] = None,
    since: Annotated[
        int | None,
        typer.Option(
            metavar="VERSION",
            help="The earlier version whose decisions must be there. Otherwise the one before the last compaction.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check the context document of a session by its rules."""
    run = run_of(context)
    with run.session(session) as opened:
        checked = ValidationDocument.of(opened.views.validate(at, since=since))
    if json:
        run.document(checked)
        return
    run.out.print(
        f"valid: {counted(checked.loaded_items, 'item')} with {checked.used_tokens:,} tokens, "
        f"layer {checked.layer} {checked.layer_name}, {counted(checked.decisions, 'decision')}"
    )
