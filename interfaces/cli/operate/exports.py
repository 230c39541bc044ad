"""`backstory export`: writes sessions to a file."""

import time
from pathlib import Path
from typing import Annotated

import typer

from backstory.domain.errors import NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Compress, Json, SessionNames
from backstory.interfaces.cli.output.progress import progress_bar
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.transfer import ExportDocument
from backstory.interfaces.wording import counted, short_id, size


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
            "`docs/reference/export-format.md` describes the format. A fork is exported together with its parents. "
            "The export is one snapshot, and the file appears when it is complete. The same sessions give the same "
            "bytes. `backstory audit` checks the file, `backstory import` imports it into another database."
        ),
    ),
)
def export(
    context: typer.Context,
    sessions: SessionNames,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file. Otherwise one named after the session."
        ),
    ] = None,
    zstd: Compress = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Export sessions to one file, with their proofs."""
    run = run_of(context)
    with run.store() as store, progress_bar(run, "exporting") as progress:
        ids = [store.find(session) for session in sessions]
        path = output or Path(f"backstory-{ids[0]}.jsonl{'.zst' if zstd else ''}")
        began = time.monotonic()
        done = store.export(ids, path, zstd=zstd, overwrite=overwrite, progress=progress)
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
        besides = "" if stream in done.sessions else "  (parent of a fork)"
        run.out.print(Text(f"  {short_id(stream)}  {version}:{chain}{besides}", "quiet"))
