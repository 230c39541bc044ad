"""`backstory compact`, `expand` and `undo`: summaries in place of items, what they stand for, and the way back."""

from typing import Annotated

import typer

from backstory.application.evaluation.recording import words_of
from backstory.application.window.compact import ALGORITHMS
from backstory.domain.errors import Conflict, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import Actor, Json, Key, SessionName, command, run_of, said_by
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.window.checkpoints import Window
from backstory.interfaces.documents.window import CompactionDocument, ExpandedItemDocument, UndoDocument
from backstory.interfaces.wording import ERASED, counted, printable


@command(
    "compact",
    Manual(
        examples=(
            "backstory compact last --dry-run",
            "backstory compact last --algorithm session_summary --first 12 --last 57",
            "backstory compact last --algorithm stubs --json",
        ),
        document=CompactionDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=f"Algorithms: {', '.join(f'`{name}`' for name in ALGORITHMS)}. `backstory undo` takes it back. "
        "A key stands for one append: `adaptive` and `cluster`, which may make several, take none; where there was "
        "nothing to gain nothing is appended, and the key is free again.",
    ),
)
def compact(
    context: typer.Context,
    session: SessionName,
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", help="How it is decided what stays.")
    ] = "adaptive",
    first: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="Of messages, the first that may leave.", show_default=False),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="Of messages, the last that may leave.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
    window: Window = "main",
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Put a summary in the place of what matters less."""
    run = run_of(context)
    with run.session(session) as found:
        done = said_by(found, actor, key).window.compact(
            algorithm, first=first, last=last, dry_run=dry_run, window=window
        )
    if json:
        run.document(CompactionDocument.of(found.id, done))
        return
    would = "would become" if dry_run else "→"
    run.out.print(
        f"{done.tokens_before:,} {would} {done.tokens_after:,} tokens: "
        f"{counted(len(done.summarized), 'item')} summarized, {len(done.dropped):,} dropped, "
        f"{len(done.stubbed):,} stubbed, {len(done.kept):,} kept"
    )
    if done.text is not None:
        paragraph(run.out, printable(done.text))
    if done.events:
        run.out.print(Text(f"version {done.events[-1]}; `backstory undo` takes it back", "quiet"))


@command(
    "expand",
    Manual(
        examples=("backstory expand last 57", "backstory expand last 57 --json"),
        document=ExpandedItemDocument,
        lines=True,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "Of a summary that stands for earlier summaries, the items behind those. Looking at them counts as an "
            "access of each, so that they cool later; they do not come back into the window."
        ),
    ),
)
def expand(
    context: typer.Context,
    session: SessionName,
    summary: Annotated[
        int, typer.Argument(metavar="SUMMARY", help="The summary, by its version.", show_default=False)
    ],
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show what a summary stands for."""
    run = run_of(context)
    with run.session(session) as found:
        items = said_by(found, actor, None).window.expand(summary)
    for item in items:
        text = words_of(item.messages) if item.messages else None
        if json:
            run.line(ExpandedItemDocument.of(item, text))
            continue
        run.out.print(
            Text.assemble((str(item.id), "version"), "  ", (item.type, "type"), f"  {item.role or ''}")
        )
        paragraph(run.out, printable(ERASED if text is None else text), indent=4)


@command(
    "undo",
    Manual(
        examples=("backstory undo last", "backstory undo last 57 --json"),
        document=UndoDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes="The newest compaction, prune or flash save that still stands; asked again, the one before it.",
    ),
)
def undo(
    context: typer.Context,
    session: SessionName,
    version: Annotated[
        int | None,
        typer.Argument(
            metavar="COMPACTION", help="Its version. Otherwise the newest that stands.", show_default=False
        ),
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Bring back what a compaction or a prune took out."""
    run = run_of(context)
    with run.session(session) as found:
        done = said_by(found, actor, key).window.undo_compaction(version)
        tokens = found.state.tokens
    if json:
        run.document(UndoDocument(session=found.id, version=done, tokens=tokens))
    else:
        run.out.print(f"version {done}: everything is back, {tokens:,} tokens")
