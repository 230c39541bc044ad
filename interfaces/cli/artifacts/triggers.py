"""`backstory triggers`: what changes set off."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.interfaces.cli.commands import command, default_command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.options import ProjectName, open_project
from backstory.interfaces.cli.options import Actor, Json, SessionName
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.memory import ProjectWrittenDocument
from backstory.interfaces.documents.triggers import (
    DryRunDocument,
    FiredDocument,
    FiredTriggersDocument,
    TriggerDocument,
    TriggerHistoryDocument,
    TriggerRecordDocument,
    TriggersDocument,
    WouldFireDocument,
)
from backstory.interfaces.wording import moment, one_line, short_id

if TYPE_CHECKING:
    from backstory.domain.triggers.values import Trigger

TriggerFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="A JSON file with a list of triggers, or with one in refresh_triggers.",
        show_default=False,
    ),
]
STYLES = {"done": "good", "nothing": "quiet", "failed": "bad", "waiting": "altered"}


@command(
    "triggers list",
    Manual(
        examples=("backstory triggers list", "backstory triggers list --project shop --json"),
        document=TriggersDocument,
        fails=(NotFound, Refused),
        notes="`backstory triggers` is the same.",
    ),
)
def list_triggers(context: typer.Context, project: ProjectName = None, json: Json = False) -> None:
    """List a project's triggers."""
    run = run_of(context)
    with open_project(run, project) as opened:
        _print_triggers(run, opened.triggers.list(), json)


default_command("triggers", list_triggers)


@command(
    "triggers set",
    Manual(
        examples=(
            "backstory triggers set --project shop",
            "backstory triggers set triggers.json --project shop",
        ),
        document=ProjectWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="Without a file they are the six of the context management document. Changes from then on set them off.",
    ),
)
def set_triggers(
    context: typer.Context,
    file: TriggerFile = None,
    project: ProjectName = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Set a project's triggers, in place of those before."""
    run = run_of(context)
    with open_project(run, project, actor) as opened:
        version = opened.triggers.set() if file is None else opened.triggers.set(_read(file))
        number = len(opened.triggers.list())
    if json:
        run.document(ProjectWrittenDocument(project=opened.name, version=version))
    else:
        run.out.print(f"{number} triggers are set in {one_line(opened.name)}", soft_wrap=True)


@command(
    "triggers check",
    Manual(
        examples=(
            "backstory triggers check triggers.json",
            "backstory triggers check .forgemind/config.json",
        ),
        document=TriggersDocument,
        fails=(NotFound, Refused),
        notes="Without a file, those of the project are checked.",
    ),
)
def check_triggers(
    context: typer.Context, file: TriggerFile = None, project: ProjectName = None, json: Json = False
) -> None:
    """Check names, conditions and actions of triggers."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.triggers.check(opened.triggers.list() if file is None else _read(file))
    _print_triggers(run, found, json)


@command(
    "triggers dry-run",
    Manual(
        examples=(
            "backstory triggers dry-run --project shop",
            "backstory triggers dry-run triggers.json --project shop --limit 20",
        ),
        document=DryRunDocument,
        fails=(NotFound, Refused),
        notes="Nothing is carried out or recorded.",
    ),
)
def dry_run(
    context: typer.Context,
    file: TriggerFile = None,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Changes to print.")] = 100,
    json: Json = False,
) -> None:
    """Tell which changes in recorded sessions would have set triggers off."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.triggers.dry_run(None if file is None else _read(file), limit=limit)
    if json:
        run.document(DryRunDocument(would_fire=[WouldFireDocument.model_validate(one) for one in found]))
        return
    for one in found:
        said = Text.assemble(
            (f"{short_id(one.session)} ", "quiet"),
            (f"{one.change} ", "version"),
            f"{one.event}  ",
            (one.trigger, "heading"),
        )
        run.out.print(said, soft_wrap=True)
        if one.problem is not None:
            run.out.print(Text(f"    {one_line(one.problem)}", "bad"), soft_wrap=True)
    if not found:
        run.out.print("nothing would have fired", style="quiet")


@command(
    "triggers run",
    Manual(
        examples=("backstory triggers run last",),
        document=FiredTriggersDocument,
        fails=(NotFound, Refused, Conflict),
        notes="A worker does this by itself. Each trigger fires once for a change, however often this is called.",
    ),
)
def run_triggers(
    context: typer.Context, session: SessionName, actor: Actor = None, json: Json = False
) -> None:
    """Fire what a session's changes set off and nobody has fired yet."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        found = opened.triggers.run()
    if json:
        run.document(FiredTriggersDocument(fired=[FiredDocument.model_validate(one) for one in found]))
        return
    for one in found:
        _print_head(run, one.version, one.trigger, f"by version {one.change}")
        for action in one.actions:
            _print_action(run, action.action, action.outcome, action.detail)
    if not found:
        run.out.print("nothing fired", style="quiet")


@command(
    "triggers history",
    Manual(
        examples=("backstory triggers history", "backstory triggers history --project shop --limit 5 --json"),
        document=TriggerHistoryDocument,
        fails=(NotFound, Refused),
    ),
)
def history(
    context: typer.Context,
    project: ProjectName = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Firings to print.")] = 20,
    json: Json = False,
) -> None:
    """List the firings in a project's sessions, with the outcome of each action."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.triggers.history(limit=limit)
    if json:
        documents = [TriggerRecordDocument.model_validate(one) for one in found]
        run.document(TriggerHistoryDocument(history=documents))
        return
    for one in found:
        by = f"by version {one.change}" + (f" {one.event}" if one.event else "")
        _print_head(run, one.version, one.trigger, f"{by}  {moment(one.at)}  {short_id(one.session)}")
        if one.outcome != "fired":
            run.out.print(
                Text(f"    not fired, {one.outcome}: {one_line(one.reason or '')}", "bad"), soft_wrap=True
            )
        for action in one.actions:
            _print_action(run, action.action, action.outcome, action.detail)
    if not found:
        run.out.print("nothing has fired", style="quiet")


def _print_triggers(run: Run, triggers: "list[Trigger]", json: bool) -> None:
    from backstory.domain.triggers.values import as_document

    if json:
        documents = [TriggerDocument(**as_document(one)) for one in triggers]
        run.document(TriggersDocument(refresh_triggers=documents))
        return
    for one in triggers:
        state = Text("") if one.enabled else Text("  off", "altered")
        run.out.print(
            Text.assemble((one.name, "heading"), f"  {one_line(one.condition)}", state), soft_wrap=True
        )
        run.out.print(Text(f"    {', '.join(one.actions)}", "quiet"), soft_wrap=True)
    if not triggers:
        run.out.print("no triggers", style="quiet")


def _print_head(run: Run, version: int, trigger: str, more: str) -> None:
    run.out.print(
        Text.assemble((f"{version} ", "version"), (trigger, "heading"), (f"  {more}", "quiet")),
        soft_wrap=True,
    )


def _print_action(run: Run, action: str, outcome: str, detail: dict[str, Any] | None) -> None:
    told = one_line(json_text.dumps(detail, ensure_ascii=False)) if detail else ""
    run.out.print(
        Text.assemble(f"    {one_line(action)} ", (outcome, STYLES[outcome]), (f"  {told}", "quiet")),
        soft_wrap=True,
    )


def _read(file: Path) -> list[Any]:
    """The triggers in a file."""
    try:
        found = json_text.loads(file.read_bytes())
    except OSError as error:
        raise InvalidInput("file", f"{str(file)!r} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput("file", f"{str(file)!r} is no JSON: {error}") from None
    if isinstance(found, dict):
        found = found.get("refresh_triggers")
    if not isinstance(found, list):
        raise InvalidInput("file", f"{str(file)!r} has no list of triggers")
    return found
