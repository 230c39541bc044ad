"""`backstory artifacts`: what sessions load."""

from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import AccessDenied, Conflict, NotFound, Refused
from backstory.interfaces.cli.artifacts.registering import print_skipped
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, Json, OptionalWhy, SessionName
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.artifacts import (
    LoadedArtifactsDocument,
    UnloadedDocument,
    WindowArtifactDocument,
    WindowArtifactsDocument,
)
from backstory.interfaces.wording import moment, one_line

if TYPE_CHECKING:
    from backstory.application.artifacts.loading import LoadedArtifacts

Artifacts = Annotated[
    list[str], typer.Argument(metavar="ARTIFACT…", help="The artifacts' ids.", show_default=False)
]


@command(
    "artifacts load",
    Manual(
        examples=("backstory artifacts load last IDEA-001 MODULE-001",),
        document=LoadedArtifactsDocument,
        fails=(NotFound, Refused, Conflict, AccessDenied),
        notes=(
            "An artifact that is in the window already is accessed. One whose file has changed is loaded anew. "
            "`clarifications`, `session-summaries` and `version-history` are made from the record."
        ),
    ),
)
def load(
    context: typer.Context,
    session: SessionName,
    artifacts: Artifacts,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Load artifacts into a session's window."""
    from backstory.application.artifacts.loading import LoadedArtifacts

    run = run_of(context)
    with run.session(session, actor) as opened:
        done = LoadedArtifacts(tuple(opened.artifacts.load(one) for one in artifacts), ())
    _print(run, done, json)


@command(
    "artifacts layers",
    Manual(
        examples=("backstory artifacts layers last", "backstory artifacts layers last --upto 2 --json"),
        document=LoadedArtifactsDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "1: what is always loaded. 2: the current idea and what is linked to it. 3: summaries of sessions, "
            "clarifications, the history of versions."
        ),
    ),
)
def layers(
    context: typer.Context,
    session: SessionName,
    upto: Annotated[int, typer.Option(metavar="1…3", help="The last layer.")] = 3,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Load artifacts layer by layer."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        _print(run, opened.artifacts.load_layers(upto), json)


@command(
    "artifacts preload",
    Manual(
        examples=("backstory artifacts preload last", "backstory artifacts preload last --layer 2"),
        document=LoadedArtifactsDocument,
        fails=(NotFound, Refused, Conflict),
    ),
)
def preload(
    context: typer.Context,
    session: SessionName,
    layer: Annotated[
        int | None, typer.Option(metavar="0…5", help="The layer of the project; otherwise the current.")
    ] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Load what is likely to be needed on a layer of the project."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        _print(run, opened.artifacts.preload(layer), json)


@command(
    "artifacts unload",
    Manual(
        examples=("backstory artifacts unload last MODULE-001",),
        document=UnloadedDocument,
        fails=(NotFound, Refused, Conflict),
    ),
)
def unload(
    context: typer.Context,
    session: SessionName,
    artifacts: Artifacts,
    why: OptionalWhy = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Take artifacts out of a session's window."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        opened.artifacts.unload(*artifacts, why=why)
    _print_unloaded(run, list(artifacts), json)


@command(
    "artifacts unload-stale",
    Manual(
        examples=(
            "backstory artifacts unload-stale last",
            "backstory artifacts unload-stale last --minutes 5",
        ),
        document=UnloadedDocument,
        fails=(NotFound, Refused, Conflict),
        notes="Those of load layer 1 stay. A worker does the same for all sessions.",
    ),
)
def unload_stale(
    context: typer.Context,
    session: SessionName,
    minutes: Annotated[
        float | None, typer.Option(metavar="N", help="Minutes since the last access; otherwise 30.")
    ] = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Take artifacts out of a window that were not accessed lately."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        _print_unloaded(run, opened.artifacts.unload_stale(minutes), json)


@command(
    "artifacts window",
    Manual(
        examples=("backstory artifacts window last",),
        document=WindowArtifactsDocument,
        fails=(NotFound,),
    ),
)
def window(context: typer.Context, session: SessionName, json: Json = False) -> None:
    """List the artifacts in a session's window."""
    run = run_of(context)
    with run.session(session) as opened:
        found = opened.artifacts.list()
    if json:
        documents = [WindowArtifactDocument.model_validate(one) for one in found]
        run.document(WindowArtifactsDocument(artifacts=documents))
        return
    if not found:
        run.out.print("no artifacts are loaded", style="quiet")
        return
    rows: list[list[Cell]] = [
        [
            Text(one_line(one.artifact), "heading"),
            one_line(one.type),
            f"{one.load_layer}",
            f"{one.tokens:,}",
            f"{one.accesses:,}",
            Text(moment(one.touched_at), "quiet"),
            Text("invalid", "altered") if one.invalid else Text(""),
        ]
        for one in found
    ]
    headings = ("artifact", "type", "load", "tokens", "accesses", "last access", "")
    print_table(run.out, headings, rows, len(rows), right=(2, 3, 4))


def _print(run: Run, done: "LoadedArtifacts", json: bool) -> None:
    if json:
        run.document(LoadedArtifactsDocument.model_validate(done))
        return
    for one in done.loaded:
        said = f"{one_line(one.artifact)}  item {one.item}, {one.tokens:,} tokens, from the {one.source}"
        run.out.print(said, soft_wrap=True)
    if not done.loaded:
        run.out.print("nothing was loaded", style="quiet")
    print_skipped(run, [(one.name, one.why) for one in done.skipped])


def _print_unloaded(run: Run, artifacts: list[str], json: bool) -> None:
    if json:
        run.document(UnloadedDocument(artifacts=artifacts))
    elif artifacts:
        run.out.print(f"unloaded {', '.join(map(one_line, artifacts))}", soft_wrap=True)
    else:
        run.out.print("nothing was unloaded", style="quiet")
