"""`backstory audit`: whether an exported file is what was written, with no database. Nothing here loads the driver of
one, so that it also runs where none is installed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from backstory.domain.errors import VerificationFailed
from backstory.interfaces.cli.commands import Json, command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.output.wording import counted, short_id

if TYPE_CHECKING:
    from backstory.application.transfer.audit import Audit


@command(
    "audit",
    Manual(
        examples=("backstory audit orders.jsonl", "backstory audit archive/*.jsonl.zst --json"),
        keys={
            "file": "the file",
            "ok": "whether everything that can be checked is as it was written",
            "sessions": "each stream in it: session, version, chain, and whether the export was asked for it",
            "lines": "how many lines were checked",
            "events": "how many events",
            "contents": "how many contents",
            "erased": "how many contents were erased, with an event that says so",
            "appends": "how many idempotency keys",
            "states": "how many states the events came to again",
            "states_of_another_fold": "whether the states are another fold's, and so were not compared",
            "contexts": "how many recorded contexts were made again, byte for byte",
            "contexts_erased": "how many cannot be, since something in them was erased",
            "sha256": "of every line but the last",
            "problem": "the first thing wrong: line, where, and what; or null",
            "cannot_see": "what no check of a file alone can find",
        },
        lines=True,
        fails=(VerificationFailed,),
        notes=(
            "Needs no database and connects to none. Checked are the whole file, the hash chain of every stream, the "
            "density of versions, the digests of contents, idempotency keys, the states that the events come to, and "
            "the hash of every recorded context, which is made again. Files may be compressed."
        ),
    ),
)
def audit(
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="What `backstory export` wrote.", show_default=False)
    ],
    json: Json = False,
) -> None:
    """Verify exported sessions without a database, and name the first thing wrong."""
    from backstory.application.transfer.audit import CANNOT_SEE, audit_export

    run = run_of(context)
    failed: VerificationFailed | None = None
    for file in files:
        found = audit_export(file)
        if json:
            run.line(_document(found))
        else:
            for line in _lines(found):
                run.out.print(line)
        try:
            found.require()
        except VerificationFailed as problem:
            failed = failed or problem
    if not json:
        paragraph(run.out, (f"not visible from a file alone: {CANNOT_SEE}.", "quiet"), indent=0)
    if failed is not None:
        raise failed


def _lines(found: "Audit") -> list[Text]:
    head = Text.assemble(("intact  ", "good") if found.ok else ("BROKEN  ", "bad"), str(found.file))
    if found.problem is not None:
        line, where, what = found.problem
        return [head.append(f"  line {line}, {where}: {what}", "bad")]
    erased = f", {found.erased:,} erased" if found.erased else ""
    gone = f", {found.contexts_erased:,} with erased parts" if found.contexts_erased else ""
    head.append(f"  {counted(found.events, 'event')}, {counted(found.contents, 'content')}{erased}")
    states = "states of another fold" if found.states_of_another_fold else counted(found.states, "state")
    lines = [
        head,
        Text(f"        {states} and {counted(found.contexts, 'context')} made again{gone}", "quiet"),
    ]
    for stream in found.streams:
        lines.append(Text(f"        {short_id(stream.stream)}  {stream.version}:{stream.chain}", "quiet"))
    return lines


def _document(found: "Audit") -> dict[str, Any]:
    return {
        "file": str(found.file),
        "ok": found.ok,
        "sessions": [
            {
                "session": str(stream.stream),
                "version": stream.version,
                "chain": stream.chain,
                "asked_for": stream.asked_for,
            }
            for stream in found.streams
        ],
        "lines": found.lines,
        "events": found.events,
        "contents": found.contents,
        "erased": found.erased,
        "appends": found.appends,
        "states": found.states,
        "states_of_another_fold": found.states_of_another_fold,
        "contexts": found.contexts,
        "contexts_erased": found.contexts_erased,
        "sha256": found.sha256,
        "problem": None if found.problem is None else found.problem._asdict(),
        "cannot_see": found.cannot_see,
    }
