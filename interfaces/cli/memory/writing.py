"""`backstory memory`: what a project is to know, recorded, superseded, forgotten and erased."""

from typing import Annotated, Any

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.look_back.verify import asks_first, tell_erased
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.options import (
    KINDS,
    Entities,
    Importance,
    Items,
    MemoryId,
    OccurredAt,
    ProjectName,
    SessionOption,
    Title,
    ValidFrom,
    ValidUntil,
    open_project,
)
from backstory.interfaces.cli.options import Actor, DryRun, Json, Key, OptionalWhy, Origin, Why, Yes
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.integrity import ErasureDocument
from backstory.interfaces.documents.memory import MemoryWrittenDocument
from backstory.interfaces.wording import one_line

Text_ = Annotated[str, typer.Argument(metavar="TEXT", help="The text.", show_default=False)]


@command(
    "memory remember",
    Manual(
        examples=(
            'backstory memory remember "Staging runs on port 6543." --project shop',
            'backstory memory remember "Tabs, not spaces." --kind preference --origin user',
            'backstory memory remember "Deploys go to Fly." --session last --item 12 --name "deploy target"',
        ),
        document=MemoryWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "A memory belongs to a project and outlives its sessions. With `--session` it goes to the project of that "
            "session and has the session as its source; erasing one of the items it was made from erases it. With "
            "`--name` it supersedes the memory before it with the same name."
        ),
    ),
)
def remember(
    context: typer.Context,
    text: Text_,
    project: ProjectName = None,
    session: SessionOption = None,
    item: Items = None,
    kind: Annotated[str, typer.Option(metavar="KIND", help=f"Its kind: {KINDS}.")] = "note",
    title: Title = None,
    entity: Entities = None,
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="The agent that alone sees it.")] = None,
    importance: Importance = None,
    valid_from: ValidFrom = None,
    valid_until: ValidUntil = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of what it tells, such as deploy target.")
    ] = None,
    supersedes: Annotated[
        list[int] | None,
        typer.Option(metavar="MEMORY", help="A memory that no longer holds because of it; may be repeated."),
    ] = None,
    at: OccurredAt = None,
    origin: Origin = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Record a memory of a project."""
    run = run_of(context)
    if session is not None and project is not None:
        raise InvalidInput("project", "cannot be given with --session")
    if item and session is None:
        raise InvalidInput("item", "needs --session")
    fields: dict[str, Any] = {
        "kind": kind,
        "title": title,
        "entities": entity or (),
        "agent": agent,
        "importance": importance,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "key": name,
        "supersedes": supersedes or (),
    }
    if session is None:
        with open_project(run, project, actor, key) as opened:
            writer = _told(opened, at, origin)
            _report(run, json, opened.name, writer.remember(text, **fields))
        return
    with run.session(session, actor, key) as source:
        into = source.memory.project
        memory = _told(source, at, origin).memory.remember(text, items=item or (), **fields)
    _report(run, json, into.name, memory)


@command(
    "memory supersede",
    Manual(
        examples=('backstory memory supersede 12 "Deploys go to Hetzner."',),
        document=MemoryWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="The new memory is of the same kind. The one before it stays readable: see `memory history`.",
    ),
)
def supersede(
    context: typer.Context,
    memory: MemoryId,
    text: Text_,
    project: ProjectName = None,
    title: Title = None,
    entity: Entities = None,
    importance: Importance = None,
    valid_from: ValidFrom = None,
    valid_until: ValidUntil = None,
    at: OccurredAt = None,
    origin: Origin = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Record a memory in place of one that no longer holds."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        written = _told(opened, at, origin).supersede(
            memory,
            text,
            title=title,
            entities=entity or (),
            importance=importance,
            valid_from=valid_from,
            valid_until=valid_until,
        )
        _report(run, json, opened.name, written)


@command(
    "memory forget",
    Manual(
        examples=('backstory memory forget 12 --why "we moved"', "backstory memory forget 12 --by 15"),
        document=MemoryWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="It is found no more, and stays readable as of the time before. `memory erase` removes its words.",
    ),
)
def forget(
    context: typer.Context,
    memory: MemoryId,
    project: ProjectName = None,
    why: OptionalWhy = None,
    by: Annotated[
        int | None, typer.Option(metavar="MEMORY", help="The memory because of which it no longer holds.")
    ] = None,
    at: OccurredAt = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Mark a memory as one that no longer holds."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        version = _told(opened, at, None).forget(memory, why, by=by)
    if json:
        run.document(MemoryWrittenDocument(project=opened.name, memory=memory, version=version))
    else:
        run.out.print(f"forgot M{memory} of {one_line(opened.name)}", soft_wrap=True)


@command(
    "memory erase",
    Manual(
        examples=('backstory memory erase 12 --why "personal data" --dry-run',),
        document=ErasureDocument,
        fails=(NotFound, Refused, Conflict),
        notes="Memories that were made from it are erased too, unless `--keep-derived` is given. Every proof still "
        "holds. On a terminal the command asks for confirmation.",
    ),
)
def erase(
    context: typer.Context,
    memory: MemoryId,
    why: Why,
    project: ProjectName = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Also equal contents elsewhere in the memory.")
    ] = False,
    keep_derived: Annotated[
        bool, typer.Option("--keep-derived", help="Keep the memories that were made from it.")
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Erase the words of a memory for good."""
    run = run_of(context)
    with open_project(run, project, actor) as opened:
        if not (dry_run or yes or json) and asks_first():
            planned = opened.erase(
                memory, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=True
            )
            tell_erased(run, planned, [], "would erase")
            typer.confirm("Erase this for good?", abort=True)
        done = opened.erase(memory, why, everywhere=everywhere, keep_derived=keep_derived, dry_run=dry_run)
    if json:
        run.document(ErasureDocument.of(done, memory, dry_run, ()))
    else:
        tell_erased(run, done, [], "would erase" if dry_run else "erased")


def _told(writer: Any, at: Any, origin: Any) -> Any:
    """The project or the session, for what was known at a time and comes from a place."""
    writer = writer if at is None else writer.occurred(at)
    return writer if origin is None else writer.of_origin(origin)


def _report(run: Run, json: bool, project: str, memory: int) -> None:
    if json:
        run.document(MemoryWrittenDocument(project=project, memory=memory, version=memory))
    else:
        run.out.print(f"M{memory} of {one_line(project)}", soft_wrap=True)
