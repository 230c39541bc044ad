"""`backstory artifacts`: what a project has registered."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import AccessDenied, Conflict, NotFound, Refused
from backstory.interfaces.cli.commands import command, default_command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.memory.options import ProjectName, open_project
from backstory.interfaces.cli.options import Actor, Json, Key, OptionalWhy
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.artifacts import (
    ArtifactDocument,
    ArtifactsDocument,
    ConfiguredDocument,
    ScannedDocument,
)
from backstory.interfaces.documents.memory import ProjectWrittenDocument
from backstory.interfaces.wording import counted, moment, one_line

ArtifactId = Annotated[str, typer.Argument(metavar="ARTIFACT", help="The artifact's id.", show_default=False)]
TypeOption = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="config, idea, module, …")]
ProjectLayer = Annotated[
    int | None, typer.Option("--layer", metavar="0…5", help="The layer of the project it belongs to.")
]
LoadLayer = Annotated[
    int | None,
    typer.Option("--load-layer", metavar="1…3", help="1 always, 2 for the task at hand, 3 for history."),
]


@command(
    "artifacts list",
    Manual(
        examples=("backstory artifacts list", "backstory artifacts list --project shop --type module --json"),
        document=ArtifactsDocument,
        fails=(NotFound, Refused),
        notes="`backstory artifacts` is the same.",
    ),
)
def list_artifacts(
    context: typer.Context,
    project: ProjectName = None,
    type: TypeOption = None,
    layer: ProjectLayer = None,
    load_layer: LoadLayer = None,
    json: Json = False,
) -> None:
    """List a project's registered artifacts."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.artifacts.list(type=type, project_layer=layer, load_layer=load_layer)
    if json:
        run.document(ArtifactsDocument(artifacts=[ArtifactDocument.model_validate(one) for one in found]))
        return
    if not found:
        run.out.print("no artifacts", style="quiet")
        return
    rows: list[list[Cell]] = [
        [
            Text(one_line(one.id), "heading"),
            one_line(one.type),
            one_line(one.name),
            f"{one.load_layer}",
            "" if one.project_layer is None else f"{one.project_layer}",
            "" if one.tokens is None else f"{one.tokens:,}",
            Text(one_line(one.path or ""), "quiet"),
        ]
        for one in found
    ]
    headings = ("artifact", "type", "name", "load", "layer", "tokens", "path")
    print_table(run.out, headings, rows, len(rows), right=(3, 4, 5))


default_command("artifacts", list_artifacts)


@command(
    "artifacts show",
    Manual(
        examples=("backstory artifacts show IDEA-001", "backstory artifacts show IDEA-001 --json"),
        document=ArtifactDocument,
        fails=(NotFound, Refused),
    ),
)
def show_artifact(
    context: typer.Context, artifact: ArtifactId, project: ProjectName = None, json: Json = False
) -> None:
    """Show what is registered of an artifact."""
    run = run_of(context)
    with open_project(run, project) as opened:
        found = opened.artifacts.get(artifact)
    if json:
        run.document(ArtifactDocument.model_validate(found))
        return
    run.out.print(
        Text.assemble((f"{one_line(found.id)} ", "heading"), one_line(f"{found.type} {found.name}"))
    )
    facts = {
        "path": found.path,
        "summary": found.summary,
        "load layer": found.load_layer,
        "project layer": found.project_layer,
        "clarity": None if found.clarity is None else f"{found.clarity} %",
        "parent": found.parent,
        "children": ", ".join(found.children),
        "related": ", ".join(found.related),
        "file": None
        if found.size is None or found.modified is None
        else f"{found.size:,} bytes, {found.tokens:,} tokens, written {moment(found.modified)}",
        "sha256": found.digest,
        "cached": "yes" if found.cached else None,
    }
    for name, value in facts.items():
        if value not in (None, ""):
            run.out.print(Text.assemble((f"  {name}: ", "quiet"), one_line(str(value))), soft_wrap=True)


@command(
    "artifacts configure",
    Manual(
        examples=("backstory artifacts configure . --project shop",),
        document=ConfiguredDocument,
        fails=(NotFound, Refused, Conflict, AccessDenied),
        notes=(
            "Reads `.forgemind/config.json` below the folder, if it is there: artifacts, triggers, preload table. "
            "Without a folder, the file is read again. Sessions that start in the project read it again by themselves."
        ),
    ),
)
def configure(
    context: typer.Context,
    root: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="The folder of the project.", show_default=False)
    ] = None,
    project: ProjectName = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Set the folder that a project's artifacts are in, and read its configuration."""
    run = run_of(context)
    with open_project(run, project, actor) as opened:
        done = opened.artifacts.configure(root)
    if json:
        run.document(ConfiguredDocument.model_validate(done))
        return
    run.out.print(
        f"configured {one_line(done.root)}: {counted(len(done.registered), 'artifact')} registered, "
        f"{done.unchanged:,} unchanged, {counted(len(done.triggers), 'trigger')} on",
        soft_wrap=True,
    )
    print_skipped(run, [(one.name, one.why) for one in done.skipped])


@command(
    "artifacts register",
    Manual(
        examples=(
            'backstory artifacts register IDEA-001 --type idea --path ideas/IDEA-001/current.md --name "AI tool"',
            "backstory artifacts register IDEA-001 --clarity 90",
        ),
        document=ProjectWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="What is not given stays as it was registered before.",
    ),
)
def register(
    context: typer.Context,
    artifact: ArtifactId,
    type: TypeOption = None,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Its name.")] = None,
    path: Annotated[
        str | None, typer.Option(metavar="FILE", help="Its file, below the project's folder.")
    ] = None,
    load_layer: LoadLayer = None,
    layer: ProjectLayer = None,
    summary: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What stands in its place while it is not loaded.")
    ] = None,
    clarity: Annotated[int | None, typer.Option(metavar="PERCENT", help="Its clarity.")] = None,
    parent: Annotated[
        str | None, typer.Option(metavar="ARTIFACT", help="The artifact it was made from.")
    ] = None,
    child: Annotated[
        list[str] | None,
        typer.Option(metavar="ARTIFACT", help="An artifact made from it; may be repeated."),
    ] = None,
    related: Annotated[
        list[str] | None,
        typer.Option(metavar="ARTIFACT", help="An artifact it has to do with; may be repeated."),
    ] = None,
    project: ProjectName = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Register an artifact, or change what is registered of it."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        version = opened.artifacts.register(
            artifact,
            type=type,
            name=name,
            path=path,
            load_layer=load_layer,
            project_layer=layer,
            summary=summary,
            clarity=clarity,
            parent=parent,
            children=child,
            related=related,
        )
    _written(run, opened.name, version, f"registered {artifact}", json)


@command(
    "artifacts scan",
    Manual(
        examples=("backstory artifacts scan 'ideas/*/current.md' 'modules/*/current.md' --project shop",),
        document=ScannedDocument,
        fails=(NotFound, Refused, Conflict, AccessDenied),
        notes="Files that are binary, empty, too large, or that look like secrets are skipped.",
    ),
)
def scan(
    context: typer.Context,
    patterns: Annotated[
        list[str],
        typer.Argument(metavar="GLOB…", help="Globs below the project's folder.", show_default=False),
    ],
    type: TypeOption = None,
    load_layer: LoadLayer = None,
    layer: ProjectLayer = None,
    parent: Annotated[
        str | None, typer.Option(metavar="ARTIFACT", help="The artifact all of them were made from.")
    ] = None,
    project: ProjectName = None,
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Register files, and notice those that have changed."""
    run = run_of(context)
    with open_project(run, project, actor) as opened:
        done = opened.artifacts.scan(
            patterns, type=type, load_layer=load_layer, project_layer=layer, parent=parent
        )
    if json:
        run.document(ScannedDocument.model_validate(done))
        return
    said = f"{counted(len(done.registered), 'artifact')} registered, {done.unchanged:,} unchanged"
    run.out.print(said)
    print_skipped(run, [(one.name, one.why) for one in done.skipped])


@command(
    "artifacts remove",
    Manual(
        examples=("backstory artifacts remove IDEA-001 --why 'split in two'",),
        document=ProjectWrittenDocument,
        fails=(NotFound, Refused, Conflict),
        notes="What sessions have loaded of it stays in their record.",
    ),
)
def remove(
    context: typer.Context,
    artifact: ArtifactId,
    why: OptionalWhy = None,
    project: ProjectName = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Take an artifact off the list."""
    run = run_of(context)
    with open_project(run, project, actor, key) as opened:
        version = opened.artifacts.remove(artifact, why)
    _written(run, opened.name, version, f"removed {artifact}", json)


def print_skipped(run: Run, skipped: list[tuple[str, str]]) -> None:
    """Prints what was passed over, with the reasons."""
    for name, why in skipped:
        run.out.print(
            Text.assemble(("  skipped ", "quiet"), f"{one_line(name)}: {one_line(why)}"), soft_wrap=True
        )


def _written(run: Run, project: str, version: int, said: str, json: bool) -> None:
    if json:
        run.document(ProjectWrittenDocument(project=project, version=version))
    else:
        run.out.print(f"{one_line(said)} in {one_line(project)}", soft_wrap=True)
