"""`backstory tiers`: lists and updates HOT, WARM and COLD items."""

from datetime import datetime
from typing import Annotated

import typer

from backstory.domain.errors import InvalidInput, NotFound
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json, Limit, OptionalSession, SessionName
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.policies import TierCountsDocument, TierItemDocument, TiersUpdatedDocument
from backstory.interfaces.wording import counted, one_line

AsOf = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="The time to score for, as in 2026-11-09T12:00:00Z. Otherwise now.",
        show_default=False,
    ),
]


@command(
    "tiers update",
    Manual(
        examples=("backstory tiers update", "backstory tiers update last --as-of 2026-11-09T12:00:00Z"),
        document=TiersUpdatedDocument,
        fails=(NotFound,),
        notes=(
            "Without SESSION, all sessions. Only due items are read. Several updates may run at once; each item is "
            "moved once."
        ),
    ),
)
def update(
    context: typer.Context,
    session: OptionalSession = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Move items into the tiers of their current scores."""
    run = run_of(context)
    at = _moment(as_of)
    if session is None:
        with run.store() as store, progress_bar(run, "sessions") as report:
            done = store.update_tiers(at, progress=report)
        document = TiersUpdatedDocument.model_validate(done)
    else:
        with run.session(session) as one:
            document = TiersUpdatedDocument.of_session(one.tiers.update(at))
    if json:
        run.document(document)
        return
    run.out.print(f"{counted(document.moved, 'item')} moved, in {counted(document.updated, 'session')}")
    if document.busy:
        run.out.print(Text(f"{counted(document.busy, 'session')} locked: the next run updates them", "quiet"))


@command(
    "tiers list",
    Manual(
        examples=("backstory tiers list last", "backstory tiers list last --tier WARM --agent coder --all"),
        document=TierItemDocument,
        lines=True,
        fails=(NotFound,),
        notes="Private items are listed only with `--agent`. Listing is not an access.",
    ),
)
def list_(
    context: typer.Context,
    session: SessionName,
    tier: Annotated[
        str | None, typer.Option(metavar="TIER", help="HOT, WARM or COLD. Otherwise all.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Include items private to this agent.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Also items that have left every window.")] = False,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """List items with their tiers and scores, the highest score first."""
    run = run_of(context)
    with run.session(session) as opened:
        rows = opened.tiers.weighed(tier, agent=agent, live=not all)
    if json:
        for item, score in rows[:limit]:
            run.line(TierItemDocument.of(item, score))
        return
    if not rows:
        run.out.print(Text("no items", "quiet"))
        return
    cells: list[list[Cell]] = [
        [
            Text(str(item.id), "version"),
            item.tier,
            f"{score:.3f}",
            f"{item.tokens:,}",
            f"{item.accesses:,}",
            Text(one_line(item.type), "type"),
            Text(one_line(item.agent or "") + (" (private)" if item.private else ""), "quiet"),
            Text("" if item.windows else "in no window", "quiet"),
        ]
        for item, score in rows
    ]
    headings = ("item", "tier", "score", "tokens", "accesses", "type", "agent", "")
    print_table(run.out, headings, cells, limit, right=(0, 2, 3, 4))


@command(
    "tiers stats",
    Manual(
        examples=("backstory tiers stats last", "backstory tiers stats last --agent coder --json"),
        document=TierCountsDocument,
        fails=(NotFound,),
        notes="Private items are counted only with `--agent`.",
    ),
)
def stats(
    context: typer.Context,
    session: SessionName,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Include items private to this agent.")
    ] = None,
    json: Json = False,
) -> None:
    """Count items and tokens by tier, in a window or stored."""
    run = run_of(context)
    with run.session(session) as found:
        counts = found.tiers.stats(agent=agent)
    if json:
        run.document(TierCountsDocument(session=found.id, agent=agent, **counts._asdict()))
        return
    cells: list[list[Cell]] = [
        ["HOT", f"{counts.hot_count:,}", f"{counts.hot_tokens:,}"],
        ["WARM", f"{counts.warm_count:,}", f"{counts.warm_tokens:,}"],
        ["COLD", f"{counts.cold_count:,}", f"{counts.cold_tokens:,}"],
        ["all", f"{counts.total_items:,}", f"{counts.total_tokens:,}"],
        [Text("of these stored", "quiet"), f"{counts.stored_items:,}", f"{counts.stored_tokens:,}"],
    ]
    print_table(run.out, ("tier", "items", "tokens"), cells, right=(1, 2))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput("as_of", f"must be a time as in 2026-11-09T12:00:00Z, got {text!r}") from None
