"""`backstory memory`: sessions made into memory, candidates, and the policy."""

import json as json_text
from dataclasses import fields, replace
from typing import Annotated, Any

import typer

from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused
from backstory.domain.policies.memory import MemoryPolicy
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.options import Items, MemoryId, ProjectName, Title, open_project
from backstory.interfaces.cli.options import Actor, Json, Key, OptionalWhy
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.archive import (
    ArchivedDocument,
    ArchivedProjectDocument,
    MemoryPolicyDocument,
)
from backstory.interfaces.documents.memory import MemoryWrittenDocument
from backstory.interfaces.wording import archived_words, one_line


@command(
    "memory archive",
    Manual(
        examples=(
            "backstory memory archive last",
            'backstory memory archive last --title "The parser" --item 12 --item 14',
            "backstory memory archive --project shop --json",
        ),
        document=ArchivedDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "A session becomes fragments, one of every hundred messages and one of the rest, and memories of what was "
            "recorded or is noticed there. Without a session, all sessions of the project do. What was made into "
            "memory before is not again. A worker and the end of a session do this by themselves: see `memory policy`."
        ),
    ),
)
def archive(
    context: typer.Context,
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION", help="The session: an id, a part of one, or last.", show_default=False
        ),
    ] = None,
    project: ProjectName = None,
    title: Title = None,
    item: Items = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Make memories of a session, or of all sessions of a project."""
    run = run_of(context)
    if session is None:
        if title is not None or item:
            raise InvalidInput("session", "must be given with --title or --item")
        with open_project(run, project, actor) as opened:
            made = opened.archive()
        if json:
            run.document(ArchivedProjectDocument.of(opened.name, made))
            return
        for one in made:
            run.out.print(archived_words(one), soft_wrap=True)
        if not made:
            run.out.print(Text("nothing is left to make memories of", "quiet"))
        return
    if project is not None:
        raise InvalidInput("project", "cannot be given with a session")
    with run.session(session, actor) as opened_session:
        done = opened_session.memory.archive(title, items=item or ())
        if json:
            run.document(ArchivedDocument.model_validate(done))
        else:
            run.out.print(archived_words(done), soft_wrap=True)


@command(
    "memory confirm",
    Manual(
        examples=("backstory memory confirm 12",),
        document=MemoryWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="`memory list --candidates` lists what waits to be confirmed or dismissed.",
    ),
)
def confirm(
    context: typer.Context,
    memory: MemoryId,
    project: ProjectName = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make a candidate a memory like any other."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        version = opened.confirm(memory)
    if json:
        run.document(MemoryWrittenDocument(project=opened.name, memory=memory, version=version))
    else:
        run.out.print(f"confirmed M{memory} of {one_line(opened.name)}", soft_wrap=True)


@command(
    "memory dismiss",
    Manual(
        examples=('backstory memory dismiss 12 --why "it was a joke"',),
        document=MemoryWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="What it says is not noticed again, unless it is said anew.",
    ),
)
def dismiss(
    context: typer.Context,
    memory: MemoryId,
    project: ProjectName = None,
    why: OptionalWhy = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Dismiss a candidate."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        version = opened.dismiss(memory, why)
    if json:
        run.document(MemoryWrittenDocument(project=opened.name, memory=memory, version=version))
    else:
        run.out.print(f"dismissed M{memory} of {one_line(opened.name)}", soft_wrap=True)


@command(
    "memory policy",
    Manual(
        examples=(
            "backstory memory policy --project shop",
            "backstory memory policy --project shop --set archive_every=50 --name frequent",
            "backstory memory policy --project shop --set automatic=false",
        ),
        document=MemoryPolicyDocument,
        fails=(NotFound, Refused, Conflict),
        notes="The page on policies says what each number means.",
    ),
)
def policy(
    context: typer.Context,
    project: ProjectName = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SETTING=VALUE", help="A number to change; may be repeated."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the changed policy, which is recorded.")
    ] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show the policy by which sessions become memory, or change it."""
    run = run_of(context)
    changes = dict(_setting(one) for one in set_ or ())
    with open_project(run, project, actor) as opened:
        shown = opened.policy
        if changes or name is not None:
            shown = _changed(shown, changes, name)
            opened.choose(shown)
    document = MemoryPolicyDocument.of(shown)
    if json:
        run.document(document)
        return
    run.out.print(f"{one_line(document.name)}, version {document.version}", soft_wrap=True)
    for setting, value in document.settings.items():
        run.out.print(f"  {setting} = {json_text.dumps(value)}", soft_wrap=True)


def _setting(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not equals:
        raise InvalidInput("set", f"must be SETTING=VALUE, got {given!r}")
    known = [field.name for field in fields(MemoryPolicy) if field.name not in ("name", "version")]
    if name not in known:
        raise InvalidInput("set", f"must name one of {', '.join(known)}, got {name!r}")
    try:
        return name, json_text.loads(value)
    except ValueError:
        raise InvalidInput("set", f"must have a JSON value for {name}, got {value!r}") from None


def _changed(shown: MemoryPolicy, changes: dict[str, Any], name: str | None) -> MemoryPolicy:
    if isinstance(changes.get("importance"), dict):
        changes["importance"] = {**shown.importance, **changes["importance"]}
    try:
        return replace(shown, **changes, name=name or shown.name, version=shown.version + 1)
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("set", f"must have the types of a MemoryPolicy: {error}") from None
