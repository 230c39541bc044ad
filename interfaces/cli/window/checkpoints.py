"""`backstory checkpoint`, `restore`, `flash-save` and `prune`: keep a window within its limit by hand."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.application.window.prune import Pruned
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.domain.window.priorities import KeepPriority
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import (
    Actor,
    DryRun,
    Json,
    Key,
    OptionalSession,
    OptionalWhy,
    SessionName,
    Window,
)
from backstory.interfaces.cli.output.layout import Cell, print_table
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.checkpoints import CheckpointDocument, RestoredCheckpointDocument
from backstory.interfaces.documents.window import FlashSaveDocument, PruneDocument
from backstory.interfaces.wording import counted, short_id


@command(
    "checkpoint",
    Manual(
        examples=(
            'backstory checkpoint last "before the merge"',
            "backstory checkpoint last release-1 --root . --save checkpoints",
        ),
        document=CheckpointDocument,
        fails=(NotFound, Conflict),
        notes=(
            "A checkpoint names a version and records what a restore verifies: the state's digest, open tasks, "
            "counters, the conversation and checksums of files. With `--root` the files are read there; without, the "
            "checksums are those recorded in the session. `--save` writes a file with everything the checkpoint holds "
            "and the session's record: `backstory audit` verifies it, `backstory restore --file` restores it into any "
            "database."
        ),
    ),
)
def checkpoint(
    context: typer.Context,
    session: SessionName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The checkpoint's name.", show_default=False)],
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Read the session's files below this folder.")
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A file below --root; may be repeated.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write checkpoint_<time>.jsonl to this folder.")
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Give the newest version a name, with the checksums that a restore verifies."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        version = opened.checkpoints.create(name, files=file or (), root=root)
        chain = next(one.chain.hex() for one in opened.checkpoints.list() if one.version == version)
        place = None if save is None else opened.checkpoints.save(save, version)
    if json:
        run.document(
            CheckpointDocument(session=opened.id, version=version, name=name, chain=chain, file=place)
        )
        return
    run.out.print(Text(f"checkpoint {name} at version {version}, chain {chain[:16]}…"))
    if place is not None:
        run.out.print(Text(f"written to {place}", "quiet"), soft_wrap=True)


@command(
    "restore",
    Manual(
        examples=(
            "backstory restore last",
            'backstory restore last "before the merge" --root .',
            "backstory restore --file checkpoints/checkpoint_20260115T091200.000000Z.jsonl",
        ),
        document=RestoredCheckpointDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "First the record is verified up to the checkpoint, and the state against its digest. If either differs, "
            "nothing is changed and the command ends with 7. With `--file` and no SESSION, the file is audited, and "
            "its session imported if this database does not have it. Files are never written; those that differ are "
            "listed. Nothing is deleted: `backtrack` to the version before undoes it."
        ),
    ),
)
def restore(
    context: typer.Context,
    session: OptionalSession = None,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="CHECKPOINT",
            help="The checkpoint's name or version. Otherwise the newest.",
            show_default=False,
        ),
    ] = None,
    file: Annotated[Path | None, typer.Option(metavar="PATH", help="The checkpoint in this file.")] = None,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of the files. Otherwise the current folder."),
    ] = None,
    why: OptionalWhy = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make a checkpoint's state current again, and list files that differ on disk."""
    if name is not None and file is not None:
        raise InvalidInput("checkpoint", "must be named or given as a file, not both")
    run = run_of(context)
    wanted = int(name) if name is not None and name.isdecimal() else name
    if session is not None:
        with run.session(session, actor, key) as opened:
            done = opened.checkpoints.restore(file or wanted, root=root, why=why)
    elif file is not None:
        if key is not None:
            raise InvalidInput("--key", "needs a SESSION")
        with run.store() as store:
            done = store.restore_checkpoint(file, root=root, why=why, actor=actor)
    else:
        raise InvalidInput("SESSION", "is missing; it may be left out with --file only")
    if json:
        run.document(RestoredCheckpointDocument.of(done))
        return
    verified = {True: "state verified", False: "state differs", None: "state not verified"}
    how = f"current again at version {done.version}" if done.went_back else "was current already"
    run.out.print(
        Text(f"checkpoint {done.name} (version {done.checkpoint}): {how}, {verified[done.state_verified]}")
    )
    if done.files:
        rows: list[list[Cell]] = [[Text(one.kind, "altered"), one.path] for one in done.files]
        print_table(run.out, ("on disk", "file"), rows, how="see --json")


@command(
    "flash-save",
    Manual(
        examples=("backstory flash-save last", "backstory flash-save last --agent coder --json"),
        document=FlashSaveDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "System prompt, constraints, open goals, open tasks, newest decisions, pins, the session summary, the "
            "newest open error and the file being edited always stay."
        ),
    ),
)
def flash_save(
    context: typer.Context,
    session: SessionName,
    window: Window = "main",
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Remove only items private to this agent.")
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Take a checkpoint and keep only HOT items in the window."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        done = opened.window.flash_save(window=window, agent=agent)
    if json:
        run.document(FlashSaveDocument.of(opened.id, done))
        return
    run.out.print(
        f"{done.tokens_before:,} → {done.tokens_after:,} tokens: {counted(done.items_archived, 'COLD item')} archived, "
        f"{counted(done.items_stored, 'WARM item')} stored, {counted(done.hot_items_retained, 'HOT item')} kept"
    )
    run.out.print(Text(f"to undo: backstory restore {short_id(opened.id)} {done.checkpoint_id}", "quiet"))


@command(
    "prune",
    Manual(
        examples=(
            "backstory prune last --dry-run",
            "backstory prune last --target 0.5",
            "backstory prune last --aggressive",
        ),
        document=PruneDocument,
        fails=(NotFound, Refused, Conflict),
        notes=(
            "Essential items stay, then items by priority and points; an item that does not fit is skipped. If the "
            "essential items exceed the target, only the barest context stays, unless `--no-aggressive` is given. "
            "`backstory undo` returns all of them with one event."
        ),
    ),
)
def prune(
    context: typer.Context,
    session: SessionName,
    target: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Share of the limit, 0 to 1. Otherwise the policy's 0.70."),
    ] = None,
    dry_run: DryRun = False,
    aggressive: Annotated[
        bool | None,
        typer.Option(
            help="Keep only the barest context. Otherwise only if the essential items exceed the target.",
            show_default=False,
        ),
    ] = None,
    window: Window = "main",
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Remove the least important items from a window."""
    run = run_of(context)
    with run.session(session, actor, key) as opened:
        done = opened.window.prune(target, dry_run, aggressive, window=window)
    if json:
        run.document(PruneDocument.of(opened.id, done))
        return
    _tell_pruned(run, done)


def _tell_pruned(run: Run, done: Pruned) -> None:
    if done.dry_run and done.ranked:
        rows: list[list[Cell]] = [
            [
                Text("stays" if one.kept else "leaves", "come" if one.kept else "gone"),
                Text(str(one.item), "version"),
                Text(one.type, "type"),
                f"{one.tokens:,}",
                str(one.points),
                "essential" if one.essential else KeepPriority(one.priority).name.lower().replace("_", " "),
            ]
            for one in done.ranked
        ]
        headings = ("", "item", "type", "tokens", "points", "priority")
        print_table(run.out, headings, rows, right=(1, 3, 4), how="see --json")
    if done.depth == "aggressive":
        run.out.print(Text("only the barest context stays", "quiet"))
    if not done.reached:
        run.out.print(Text(f"the items that stay exceed the target of {done.target:,}", "altered"))
    verb = "would leave" if done.dry_run else "left"
    run.out.print(
        f"{done.tokens_before:,} → {done.tokens_after:,} of {done.limit:,} tokens: "
        f"{counted(len(done.dropped), 'item')} {verb}, kept {len(done.kept):,} (points ≥ {done.threshold})"
    )
    if done.version is not None:
        run.out.print(undo_line(done.version))


def undo_line(version: int) -> Text:
    """A line that names the event and how to undo it."""
    return Text(f"version {version}; to undo: backstory undo", "quiet")
