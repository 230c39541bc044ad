"""`backstory audit`: verifies an exported file. Loads no database driver, so that it runs where none is installed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.operate.anchors import AnchorFiles, PublicKeys, anchors_in
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.documents.integrity import AuditDocument
from backstory.interfaces.wording import counted, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.transfer.audit import Audit


@command(
    "audit",
    Manual(
        examples=(
            "backstory audit orders.jsonl",
            "backstory audit archive/*.jsonl.zst --json",
            "backstory audit orders.jsonl --anchor anchors.json --public-keys anchor-key.pub",
        ),
        document=AuditDocument,
        lines=True,
        fails=(VerificationFailed,),
        notes=(
            "Connects to no database. Checks the whole file, the hash chain of every session, that no version is "
            "missing, the digests of contents, idempotency keys, the states computed from the events, and the hash of "
            "every recorded context, which is built again. Files may be compressed. With `--anchor`, also checks "
            "that the sessions have the chain that was anchored, and so finds a log that was rewritten or cut."
        ),
    ),
)
def audit(
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files of `backstory export`.", show_default=False)
    ],
    anchor: AnchorFiles = None,
    public_keys: PublicKeys = None,
    json: Json = False,
) -> None:
    """Verify an exported file without a database, and print the first error."""
    from backstory.application.transfer.audit import CANNOT_SEE, audit_export

    run = run_of(context)
    failed: VerificationFailed | None = None
    anchors = anchors_in(anchor, public_keys) if anchor else None
    for file in files:
        report = audit_export(file, anchors)
        if json:
            run.line(AuditDocument.of(report))
        else:
            for line in _lines(report):
                run.out.print(line)
        try:
            report.require()
        except VerificationFailed as problem:
            failed = failed or problem
    if not json:
        paragraph(run.out, (f"not visible from a file alone: {CANNOT_SEE}.", "quiet"), indent=0)
    if failed is not None:
        raise failed


def _lines(report: "Audit") -> list[Text]:
    head = Text.assemble(("intact  ", "good") if report.ok else ("BROKEN  ", "bad"), str(report.file))
    if report.problem is not None:
        from backstory.application.transfer.audit import placed

        return [head.append(f"  {placed(report.problem)}", "bad")]
    erased = f", {report.erased:,} erased" if report.erased else ""
    gone = f", {report.contexts_erased:,} with erased parts" if report.contexts_erased else ""
    if report.contexts_elsewhere:
        gone += f", {report.contexts_elsewhere:,} with memories of a project that is not in the file"
    head.append(f"  {counted(report.events, 'event')}, {counted(report.contents, 'content')}{erased}")
    states = "states of another fold" if report.states_of_another_fold else counted(report.states, "state")
    lines = [
        head,
        Text(f"        {states} and {counted(report.contexts, 'context')} made again{gone}", "quiet"),
    ]
    if report.checkpoint is not None:
        lines.append(Text(f"        checkpoint {report.checkpoint}, made again from the record", "quiet"))
    if report.anchored:
        lines.append(Text(f"        {counted(report.anchored, 'anchor')} matched", "quiet"))
    for stream in report.streams:
        memory = "" if stream.project is None else f"  memory of {one_line(stream.project)}"
        lines.append(
            Text(f"        {short_id(stream.stream)}  {stream.version}:{stream.chain}{memory}", "quiet")
        )
    return lines
