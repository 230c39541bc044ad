"""`backstory tiers`: which items are HOT, WARM and COLD, and bringing that up to date."""

from datetime import datetime
from typing import Annotated

import typer

from backstory.domain.errors import InvalidInput, NotFound
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.policies import TierItemDocument, TiersUpdatedDocument
from backstory.interfaces.wording import counted, one_line

AsOf = Annotated[
    str | None,
    typer.Option(
        metavar="TIME", help="For this moment, as in 2026-11-09T12:00:00Z. Otherwise now.", show_default=False
    ),
]


@command(
    "tiers update",
    Manual(
        examples=("backstory tiers update", "backstory tiers update last --as-of 2026-11-09T12:00:00Z"),
        document=TiersUpdatedDocument,
        fails=(NotFound,),
        notes="Only what is due is looked at. Several may run at once: each item is moved once.",
    ),
)
def update(
    context: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(metavar="[SESSION]", help="Of this session. Otherwise of all.", show_default=False),
    ] = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Put items into the tiers that they are worth by now."""
    run = run_of(context)
    at = _moment(as_of)
    if session is None:
        with run.store() as store, progress_bar(run, "sessions") as report:
            done = store.update_tiers(at, progress=report)
        found = TiersUpdatedDocument.model_validate(done)
    else:
        with run.session(session) as one:
            found = TiersUpdatedDocument.of_session(one.tiers.update(at))
    if json:
        run.document(found)
        return
    run.out.print(f"{counted(found.moved, 'item')} moved, in {counted(found.updated, 'session')}")
    if found.busy:
        run.out.print(Text(f"{counted(found.busy, 'session')} locked: the next run updates them", "quiet"))


@command(
    "tiers list",
    Manual(
        examples=("backstory tiers list last", "backstory tiers list last --tier WARM --agent coder --all"),
        document=TierItemDocument,
        lines=True,
        fails=(NotFound,),
        notes="Private items are listed for the agent that they belong to. Being listed is not an access.",
    ),
)
def list_(
    context: typer.Context,
    session: SessionName,
    tier: Annotated[
        str | None, typer.Option(metavar="TIER", help="HOT, WARM or COLD. Otherwise every tier.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="As this agent sees them. Otherwise what is shared.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Also those that have left every window.")] = False,
    json: Json = False,
) -> None:
    """List the items in a tier, with what they are worth."""
    run = run_of(context)
    with run.session(session) as found:
        rows = found.tiers.weighed(tier, agent=agent, live=not all)
    if json:
        for item, score in rows:
            run.line(TierItemDocument.of(item, score))
        return
    if not rows:
        run.out.print(Text("nothing there", "quiet"))
        return
    cells = [
        [
            Text(str(item.id), "version"),
            Text(item.tier),
            Text(f"{score:.3f}"),
            Text(one_line(item.type), "type"),
            Text(f"{item.tokens} tokens"),
            Text(f"{item.accesses} accesses", "quiet"),
            Text(one_line(item.agent or "") + (" (private)" if item.private else ""), "quiet"),
            Text("" if item.windows else "left every window", "quiet"),
        ]
        for item, score in rows
    ]
    run.out.print(columns(cells))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput("as_of", f"must be a time as in 2026-11-09T12:00:00Z, got {text!r}") from None
