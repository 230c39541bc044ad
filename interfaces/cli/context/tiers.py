"""`backstory tiers`: which items are HOT, WARM and COLD, and bringing that up to date."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from backstory.domain.errors import InvalidInput, NotFound
from backstory.interfaces.cli.commands import Json, SessionName, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.wording import one_line

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
        keys={
            "as_of": "the moment for which the scores were computed",
            "sessions": "how many had something due",
            "updated": "in how many something moved",
            "moved": "how many items are in another tier now",
            "busy": "sessions whose lock was not free in time: the next run's",
        },
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
        found: dict[str, Any] = {**done._asdict(), "as_of": done.as_of.isoformat()}
    else:
        with run.session(session) as one:
            moved = one.update_tiers(at)
        updated = int(bool(moved.moves))
        found = {
            "as_of": moved.as_of.isoformat(),
            "sessions": updated,
            "updated": updated,
            "moved": len(moved.moves),
            "busy": 0,
        }
    if json:
        run.document(found)
        return
    run.out.print(f"{found['moved']} items moved, in {found['updated']} sessions")
    if found["busy"]:
        run.out.print(Text(f"{found['busy']} sessions were busy: the next run looks at them", "quiet"))


@command(
    "tiers list",
    Manual(
        examples=("backstory tiers list last", "backstory tiers list last --tier WARM --agent coder --all"),
        keys={
            "item": "its id",
            "type": "what sort of item it is",
            "tier": "HOT, WARM or COLD, as it was last assigned",
            "score": "what it is worth now, from 0 to 1",
            "importance": "what it was worth at first",
            "accesses": "how often it was accessed",
            "touched_at": "when it was last",
            "tokens": "how many it has",
            "agent": "whose it is, or null",
            "private": "whether it is for that agent only",
            "live": "whether it is in a window",
        },
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
        rows = found.weighed_items(tier, agent=agent, live=not all)
    if json:
        for item, score in rows:
            run.line(
                {
                    "item": item.id,
                    "type": item.type,
                    "tier": item.tier,
                    "score": score,
                    "importance": item.importance,
                    "accesses": item.accesses,
                    "touched_at": item.touched_at.isoformat(),
                    "tokens": item.tokens,
                    "agent": item.agent,
                    "private": item.private,
                    "live": bool(item.windows),
                }
            )
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
