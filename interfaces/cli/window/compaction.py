"""`backstory compact`, `expand`, `dropped`, `uncompact` and `undo`: smaller windows and what left them."""

from typing import TYPE_CHECKING, Annotated

import typer

from backstory.application.evaluation.recording import words_of
from backstory.application.window.compact import ALGORITHMS
from backstory.domain.errors import Conflict, NotFound, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Actor, DryRun, Json, Key, SessionName, Window
from backstory.interfaces.cli.output.layout import ROWS, line, paragraph
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.window.checkpoints import undo_line
from backstory.interfaces.documents.window import (
    CompactionDocument,
    DroppedDocument,
    ExpandedItemDocument,
    UncompactedDocument,
    UndoDocument,
)
from backstory.interfaces.wording import ERASED, counted, moment, one_line

if TYPE_CHECKING:
    from backstory.application.window.dropped import DroppedItem


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
        notes=f"Algorithms: {', '.join(f'`{name}`' for name in ALGORITHMS)}. `backstory undo` undoes it. "
        "A key covers one append: `adaptive` and `cluster`, which may append several events, take none. If nothing "
        "can be saved, nothing is appended and the key stays unused.",
    ),
)
def compact(
    context: typer.Context,
    session: SessionName,
    algorithm: Annotated[str, typer.Option(metavar="NAME", help="The algorithm.")] = "adaptive",
    first: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="The first message that may leave.", show_default=False),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option(metavar="VERSION", help="The last message that may leave.", show_default=False),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Usage below which preserve_summarize_discard does nothing. Otherwise the policy's 0.70.",
            show_default=False,
        ),
    ] = None,
    dry_run: DryRun = False,
    window: Window = "main",
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Replace less important items by a summary."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        done = opened.window.compact(
            algorithm, first=first, last=last, threshold=threshold, dry_run=dry_run, window=window
        )
    if json:
        run.document(CompactionDocument.of(opened.id, done))
        return
    if done.text is not None:
        paragraph(run.out, done.text)
    would = "would become" if dry_run else "→"
    run.out.print(
        f"{done.tokens_before:,} {would} {done.tokens_after:,} tokens: "
        f"{counted(len(done.summarized), 'item')} summarized, {len(done.dropped):,} dropped, "
        f"{len(done.stubbed):,} stubbed, {len(done.kept):,} kept"
    )
    if done.events:
        run.out.print(undo_line(done.events[-1]))
    elif not dry_run:
        run.out.print(Text("nothing to gain: the window is as it was", "quiet"))


@command(
    "expand",
    Manual(
        examples=("backstory expand last 57", "backstory expand last 57 --json"),
        document=ExpandedItemDocument,
        lines=True,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "If the summary replaced earlier summaries, the items of those are shown. The items do not return to "
            "the window. Nothing is written: an access is counted where a program calls `session.window.expand`."
        ),
    ),
)
def expand(
    context: typer.Context,
    session: SessionName,
    summary: Annotated[int, typer.Argument(metavar="SUMMARY", help="The summary's id.", show_default=False)],
    actor: Actor = None,
    json: Json = False,
) -> None:
    """Show the items that a summary replaced."""
    run = run_of(context)
    with run.session(session, actor) as opened:
        items = opened.window.expand(summary, record=False)
    for item in items:
        text = words_of(item.messages) if item.messages else None
        if json:
            run.line(ExpandedItemDocument.of(item, text))
            continue
        run.out.print(
            Text.assemble((str(item.id), "version"), "  ", (item.type, "type"), f"  {item.role or ''}")
        )
        paragraph(run.out, ERASED if text is None else text, indent=4)


@command(
    "dropped",
    Manual(
        examples=("backstory dropped last", "backstory dropped last 57 --limit 5 --json"),
        document=DroppedDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "First what later steps used although nothing in the window had it any more, then what the next steps are "
            "likely to need: pending calls, the user's own words, decisions, failures, files and commands. A "
            "compaction in an imported transcript is one too, as are a prune and a flash save. Private items are "
            "shown only to their `--agent`."
        ),
    ),
)
def dropped(
    context: typer.Context,
    session: SessionName,
    version: Annotated[
        int | None,
        typer.Argument(
            metavar="COMPACTION",
            help="The compaction's version. Otherwise the newest that was not undone.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Also the private items of this agent.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Items to print.")] = ROWS // 2,
    json: Json = False,
) -> None:
    """Rank what a compaction took out of a window by what was needed of it since."""
    run = run_of(context)
    with run.session(session) as opened:
        found = opened.window.dropped(version, agent=agent, limit=limit)
    if json:
        run.document(DroppedDocument.model_validate(found))
        return
    run.out.print(
        f"version {found.compaction}, {one_line(found.algorithm)}: {counted(found.left, 'item')} "
        f"({found.tokens:,} tokens) left {one_line(found.window)}, {found.gone:,} still gone"
    )
    basis = f"{counted(found.steps, 'later step')} looked at" if found.steps else "nothing was said since"
    run.out.print(Text(basis, "quiet"))
    for item in found.items:
        run.out.print(_dropped_heading(item))
        if item.used:
            paragraph(
                run.out, (f"used by {item.used_at}: {one_line(', '.join(item.used))}", "good"), indent=4
            )
        paragraph(run.out, ERASED if item.line is None else item.line, indent=4)


@command(
    "uncompact",
    Manual(
        examples=("backstory uncompact last", "backstory uncompact last 57 --limit 6000"),
        document=UncompactedDocument,
        fails=(NotFound, VerificationFailed),
        notes=(
            "Prints a text for the next prompt: the user's own words, pending calls and questions, things to do, "
            "failures, decisions, refused calls, files with whole paths and commands with their results, as far as the "
            "summary does not tell them. It is a record of facts and no instruction, and empty where the summary tells "
            "all that is needed. `--json` has every missing fact, also those that did not fit."
        ),
    ),
)
def uncompact(
    context: typer.Context,
    session: SessionName,
    version: Annotated[
        int | None,
        typer.Argument(
            metavar="COMPACTION",
            help="The compaction's version. Otherwise the newest that was not undone.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Also the private items of this agent.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="The most characters of the text.")] = 2_000,
    json: Json = False,
) -> None:
    """Tell what a compaction took out of a window and its summary does not tell."""
    run = run_of(context)
    with run.session(session) as opened:
        found = opened.window.uncompact(version, agent=agent, limit=limit)
    if json:
        run.document(UncompactedDocument.model_validate(found))
    elif found.text:
        run.out.print(Text(found.text), soft_wrap=True)
    else:
        run.out.print(Text("the summary tells all that is needed", "quiet"))


def _dropped_heading(item: "DroppedItem") -> Text:
    cells = [(f"{item.item} ", "version"), (one_line(item.type), "type")]
    if item.speaker:
        cells.append((f" {one_line(item.speaker)}", ""))
    cells.append((f"  {moment(item.at)}  {item.tokens:,} tokens", "quiet"))
    if item.kinds:
        cells.append((f"  {', '.join(item.kinds).replace('_', ' ')}", "quiet"))
    if not item.gone:
        cells.append(("  brought back", "come"))
    return line(*cells)


@command(
    "undo",
    Manual(
        examples=("backstory undo last", "backstory undo last 57 --json"),
        document=UndoDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes="Undoes the newest compaction, prune or flash save; run again, the one before it.",
    ),
)
def undo(
    context: typer.Context,
    session: SessionName,
    version: Annotated[
        int | None,
        typer.Argument(
            metavar="COMPACTION", help="The version to undo. Otherwise the newest.", show_default=False
        ),
    ] = None,
    why: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The reason, which is recorded.", show_default=False)
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Undo a compaction or a prune: return its items to the window."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        done = opened.window.undo_compaction(version, why=why)
        tokens = opened.state.tokens
    if json:
        run.document(UndoDocument(session=opened.id, version=done, tokens=tokens))
    else:
        run.out.print(f"version {done}: all items are back, {tokens:,} tokens")
