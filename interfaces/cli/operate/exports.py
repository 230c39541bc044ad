"""`backstory export`: writes sessions to a file."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from backstory.domain.errors import InvalidInput, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Compress, Json, OptionalSessions
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import ExportDocument
from backstory.interfaces.wording import counted, one_line, short_id, size

if TYPE_CHECKING:
    from backstory.application.store import ContextStore


@command(
    "export",
    Manual(
        examples=(
            "backstory export last",
            "backstory export 0f3a 77c1 -o orders.jsonl.zst --zstd",
            "backstory export --project shop -o shop.jsonl",
            "backstory export --all -o everything.jsonl.zst --zstd",
        ),
        document=ExportDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "`docs/reference/export-format.md` describes the format. A fork is exported together with its parents, "
            "a project as its memory and all its sessions. "
            "The export is one snapshot, and the file appears when it is complete. The same sessions give the same "
            "bytes. Texts that were flagged for secrets are exported only with `--with-secrets`. "
            "`backstory audit` checks the file, `backstory import` imports it into another database."
        ),
    ),
)
def export(
    context: typer.Context,
    sessions: OptionalSessions = None,
    project: Annotated[
        list[str] | None,
        typer.Option("--project", metavar="NAME", help="Its memory and all its sessions; may be repeated."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="All sessions and all memory.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file. Otherwise one named after the first session."
        ),
    ] = None,
    zstd: Compress = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
    with_secrets: Annotated[
        bool, typer.Option("--with-secrets", help="Export texts that were flagged for secrets, too.")
    ] = False,
    json: Json = False,
) -> None:
    """Export sessions and projects to one file, with their proofs."""
    if [bool(sessions or project), all_].count(True) != 1:
        raise InvalidInput("session", "must name what to export: sessions, --project, or --all")
    run = run_of(context)
    with run.store() as store, progress_bar(run, "exporting") as progress:
        ids = [store.find(session) for session in sessions or ()]
        path = output or Path(f"backstory-{_name(store, ids, project)}.jsonl{'.zst' if zstd else ''}")
        began = time.monotonic()
        done = store.export(
            None if all_ else ids,
            path,
            projects=project or (),
            zstd=zstd,
            overwrite=overwrite,
            secrets=with_secrets,
            progress=progress,
        )
        took = time.monotonic() - began
    if json:
        run.document(ExportDocument.of(done))
        return
    written = path.stat().st_size
    packed = f", {size(written)} compressed" if zstd else ""
    run.out.print(
        f"{path}: {counted(done.events, 'event')}, {counted(done.contents, 'content')}, "
        f"{size(done.bytes)}{packed}, in {took:.1f} s"
    )
    for end in done.streams:
        besides = "" if end.stream in done.sessions else "  (parent of a fork)"
        besides = besides if end.project is None else f"  memory of {one_line(end.project)}"
        run.out.print(Text(f"  {short_id(end.stream)}  {end.version}:{end.chain}{besides}", "quiet"))


def _name(store: "ContextStore", ids: list[UUID], projects: list[str] | None) -> str:
    if ids:
        return str(ids[0])
    return str(store.project(projects[0]).id) if projects else "everything"
