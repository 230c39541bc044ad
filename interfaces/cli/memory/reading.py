"""`backstory memory`: what a project knows, found, listed and shown."""

from typing import Annotated, Any

import typer

from backstory.domain.errors import NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.lines import print_memory, print_recalled
from backstory.interfaces.cli.memory.options import (
    Agent,
    AsOf,
    Entity,
    Kinds,
    MemoryId,
    Past,
    ProjectName,
    Quarantined,
    TierOption,
    open_project,
)
from backstory.interfaces.cli.options import Json, Since, Until
from backstory.interfaces.cli.output.layout import ROWS
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.memory import (
    MemoryDocument,
    MemoryHistoryDocument,
    MemoryPageDocument,
    RecallPageDocument,
)
from backstory.interfaces.wording import one_line

Most = Annotated[int, typer.Option("--limit", metavar="N", help="Memories to print.")]


@command(
    "memory recall",
    Manual(
        examples=(
            'backstory memory recall "where do we deploy"',
            "backstory memory recall deploy target --project shop --as-of 2026-11-10",
            "backstory memory recall parser --kind lesson --kind decision --json",
        ),
        document=RecallPageDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "Memories of all sessions and agents of the project are searched, those of one agent alone only for their "
            "`--agent`. With `--as-of` the answer is what the project knew then, and what held then."
        ),
    ),
)
def recall(
    context: typer.Context,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY…", help="A question, or some words.", show_default=False)
    ],
    project: ProjectName = None,
    agent: Agent = None,
    kind: Kinds = None,
    entity: Entity = None,
    tier: TierOption = None,
    since: Since = None,
    before: Until = None,
    as_of: AsOf = None,
    past: Past = False,
    quarantined: Quarantined = False,
    limit: Most = ROWS // 2,
    after: Annotated[
        str | None, typer.Option(metavar="PAGE", help="The next page, as the last one named it.")
    ] = None,
    json: Json = False,
) -> None:
    """Find what a project remembers, best first, with its sources."""
    run = run_of(context)
    chosen = _chosen(agent, kind, entity, tier, since, before, as_of, past, quarantined)
    with open_project(run, project) as opened:
        page = opened.recall(" ".join(query), **chosen, limit=limit, after=after, record=False)
    if json:
        run.document(RecallPageDocument.model_validate(page))
        return
    if page.warning:
        run.errors.print(Text.assemble(("warning: ", "altered"), one_line(page.warning)), soft_wrap=True)
    for found in page.found:
        print_recalled(run, found)
    if not page.found:
        run.out.print(Text("nothing found", "quiet"))
    if page.next:
        run.out.print(Text(f"→ --after {page.next}", "quiet"), soft_wrap=True)


@command(
    "memory list",
    Manual(
        examples=(
            "backstory memory list",
            "backstory memory list --project shop --kind decision --as-of 2026-11-10 --json",
        ),
        document=MemoryPageDocument,
        fails=(NotFound, Refused),
    ),
)
def list_memories(
    context: typer.Context,
    project: ProjectName = None,
    agent: Agent = None,
    kind: Kinds = None,
    entity: Entity = None,
    tier: TierOption = None,
    since: Since = None,
    before: Until = None,
    as_of: AsOf = None,
    past: Past = False,
    quarantined: Quarantined = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="What waits to be confirmed or dismissed, and nothing else.")
    ] = False,
    limit: Most = ROWS // 2,
    after: Annotated[
        int | None, typer.Option(metavar="MEMORY", help="The next page, as the last one named it.")
    ] = None,
    json: Json = False,
) -> None:
    """List what a project remembers, the newest first."""
    run = run_of(context)
    chosen = _chosen(agent, kind, entity, tier, since, before, as_of, past, quarantined)
    with open_project(run, project) as opened:
        page = opened.memories(**chosen, candidates=candidates, limit=limit, after=after)
    if json:
        run.document(MemoryPageDocument.model_validate(page))
        return
    for memory in page.memories:
        print_memory(run, memory)
    if not page.memories:
        run.out.print(Text("no memories", "quiet"))
    if page.next:
        run.out.print(Text(f"→ --after {page.next}", "quiet"))


@command(
    "memory show",
    Manual(
        examples=("backstory memory show 12", "backstory memory show 12 --project shop --json"),
        document=MemoryDocument,
        fails=(NotFound, Refused),
    ),
)
def show_memory(
    context: typer.Context,
    memory: MemoryId,
    project: ProjectName = None,
    agent: Agent = None,
    json: Json = False,
) -> None:
    """Show a memory, also one that no longer holds."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.memory(memory, agent=agent)
    if json:
        run.document(MemoryDocument.model_validate(found))
    else:
        print_memory(run, found)


@command(
    "memory history",
    Manual(
        examples=("backstory memory history 12",),
        document=MemoryHistoryDocument,
        fails=(NotFound, Refused),
    ),
)
def show_history(
    context: typer.Context,
    memory: MemoryId,
    project: ProjectName = None,
    agent: Agent = None,
    json: Json = False,
) -> None:
    """List what a memory superseded and what superseded it, oldest first."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.history(memory, agent=agent)
    if json:
        run.document(MemoryHistoryDocument(memories=[MemoryDocument.model_validate(one) for one in found]))
        return
    for one in found:
        print_memory(run, one)


def _chosen(
    agent: Any,
    kind: Any,
    entity: Any,
    tier: Any,
    since: Any,
    before: Any,
    as_of: Any,
    past: Any,
    quarantined: Any,
) -> dict[str, Any]:
    return {
        "agent": agent,
        "kinds": kind or (),
        "entity": entity,
        "tier": tier,
        "since": since,
        "before": before,
        "as_of": as_of,
        "past": past,
        "quarantined": quarantined,
    }
