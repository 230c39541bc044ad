"""`backstory keys`: the keys of the service."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

import typer

from backstory.application.access.keys import AccessKey, MadeKey
from backstory.domain.errors import NotFound, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, Limit
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.keys import (
    CallDocument,
    KeyDocument,
    MadeKeyDocument,
    RevokedKeyDocument,
)
from backstory.interfaces.wording import ago, one_line

Name = Annotated[str, typer.Argument(metavar="NAME", help="The key's name.", show_default=False)]
Days = Annotated[
    int | None, typer.Option("--days", metavar="N", min=1, max=36_500, help="End the key after N days.")
]


@command(
    "keys create",
    Manual(
        examples=(
            "backstory keys create orchestrator --action append",
            "backstory keys create planner --action append --project orders --agent planner --days 90",
        ),
        document=MadeKeyDocument,
        fails=(Refused,),
        notes=(
            "The key is printed once and stored nowhere. Its name is recorded with every event that is written with "
            "it, so a name is never used for another key."
        ),
    ),
)
def create_key(
    context: typer.Context,
    name: Name,
    action: Annotated[
        Literal["read", "append", "operate", "admin"],
        typer.Option(metavar="ACTION", help="read, append, operate or admin; each allows those before it."),
    ] = "append",
    project: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Allow only this project; may be repeated. Otherwise all."),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Let it act for this agent alone.")
    ] = None,
    days: Days = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Make a key."""
    run = run_of(context)
    with run.store() as store:
        made = store.keys.create(
            name, action, projects=project or None, agent=agent, expires_at=_after(days), by=actor
        )
    _print_made(run, made, json)


@command(
    "keys rotate",
    Manual(
        examples=("backstory keys rotate orchestrator --grace-hours 24",),
        document=MadeKeyDocument,
        fails=(NotFound,),
    ),
)
def rotate_key(
    context: typer.Context,
    name: Name,
    grace_hours: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=8760, help="Hours for which the one before it stays valid."),
    ] = 0,
    days: Days = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Make another key of the same name, which replaces it."""
    run = run_of(context)
    with run.store() as store:
        made = store.keys.rotate(name, grace=timedelta(hours=grace_hours), expires_at=_after(days), by=actor)
    _print_made(run, made, json)


@command(
    "keys revoke",
    Manual(examples=("backstory keys revoke orchestrator",), document=RevokedKeyDocument, fails=(NotFound,)),
)
def revoke_key(context: typer.Context, name: Name, json: Json = False) -> None:
    """End a key at once."""
    run = run_of(context)
    with run.store() as store:
        store.keys.revoke(name)
    if json:
        run.document(RevokedKeyDocument(name=name))
    else:
        run.out.print(f"revoked {one_line(name)}", soft_wrap=True)


@command(
    "keys list",
    Manual(examples=("backstory keys list", "backstory keys list --json"), document=KeyDocument, lines=True),
)
def list_keys(context: typer.Context, limit: Limit = None, json: Json = False) -> None:
    """List the keys, also those that are no longer valid."""
    run = run_of(context)
    with run.store() as store:
        keys = store.keys.list()
    if json:
        for key in keys[:limit]:
            run.line(KeyDocument.of(key))
        return
    if not keys:
        run.out.print(Text("no keys: the service answers on this machine alone", "quiet"))
        return
    now = datetime.now(UTC)
    rows: list[list[Cell]] = [
        [
            Text(one_line(key.name), "heading"),
            key.prefix,
            key.action.value,
            ", ".join(map(one_line, sorted(key.projects))) if key.projects else "all",
            one_line(key.agent or "any"),
            Text("valid" if key.valid else _why_not(key), "live" if key.valid else "quiet"),
            "" if key.last_used is None else ago(key.last_used, now),
        ]
        for key in keys
    ]
    print_table(run.out, ("name", "prefix", "action", "projects", "agent", "state", "last used"), rows, limit)


@command(
    "keys calls",
    Manual(
        examples=("backstory keys calls", "backstory keys calls --limit 100 --json"),
        document=CallDocument,
        lines=True,
    ),
)
def list_calls(context: typer.Context, limit: Limit = None, json: Json = False) -> None:
    """List calls that were refused to a key, or that needed the right to operate or administer."""
    run = run_of(context)
    with run.store() as store:
        calls = store.keys.calls(limit or 1000)
    if json:
        for call in calls:
            run.line(CallDocument.model_validate(call))
        return
    rows: list[list[Cell]] = [
        [
            f"{call.called_at:%Y-%m-%d %H:%M:%S}",
            one_line(call.caller or ""),
            call.operation,
            str(call.status),
            one_line(call.path),
            call.address or "",
        ]
        for call in calls
    ]
    if not rows:
        run.out.print(Text("no calls", "quiet"))
        return
    print_table(run.out, ("time", "key", "operation", "status", "path", "from"), rows, limit)


def _after(days: int | None) -> datetime | None:
    return None if days is None else datetime.now(UTC) + timedelta(days=days)


def _why_not(key: AccessKey) -> str:
    return "revoked" if key.revoked_at is not None else "expired"


def _print_made(run: Run, made: MadeKey, json: bool) -> None:
    if json:
        run.document(MadeKeyDocument.made(made))
        return
    run.out.print(made.secret, soft_wrap=True)
    run.out.print(Text("It is shown once and stored nowhere.", "quiet"))
