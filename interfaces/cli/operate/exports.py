"""`backstory export`: sessions to a file that others can audit and import."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from backstory.domain.errors import NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.transfer import ExportDocument
from backstory.interfaces.wording import counted, short_id, size

Compress = Annotated[bool, typer.Option("--zstd", help="Compress it. Needs backstory\\[zstd].")]


@command(
    "export",
    Manual(
        examples=(
            "backstory export last",
            "backstory export 0f3a 77c1 -o orders.jsonl.zst --zstd",
        ),
        document=ExportDocument,
        fails=(NotFound, Refused, VerificationFailed),
        notes=(
            "The format is described in `docs/reference/export-format.md`. A fork comes with the sessions that it "
            "began in, whole. All of it is as it was at one moment, and the file appears when it is complete. The "
            "same sessions give the same bytes again. `backstory audit` checks the file, `backstory import` brings "
            "it into another database."
        ),
    ),
)
def export(
    context: typer.Context,
    sessions: Annotated[
        list[str],
        typer.Argument(
            metavar="SESSION…", help="Ids, beginnings or ends of some, or last.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file; otherwise one named after the session, here."
        ),
    ] = None,
    zstd: Compress = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Also when the file is there.")] = False,
    json: Json = False,
) -> None:
    """Export sessions to one file, with everything that proves them."""
    from backstory.application.queries.lookup import find_session

    run = run_of(context)
    with run.store() as store, events_shown(run, "exporting") as progress:
        found = [find_session(store, session) for session in sessions]
        path = output or Path(f"backstory-{found[0]}.jsonl{'.zst' if zstd else ''}")
        began = time.monotonic()
        done = store.export(found, path, zstd=zstd, overwrite=overwrite, progress=progress)
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
    for stream, version, chain in done.streams:
        besides = "" if stream in done.sessions else "  (where others began)"
        run.out.print(Text(f"  {short_id(stream)}  {version}:{chain}{besides}", "quiet"))


@contextmanager
def events_shown(run: Run, what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar of events, where somebody is there to see it."""
    if run.json or not sys.stderr.isatty():
        yield None
        return
    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*shown, console=run.errors, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
