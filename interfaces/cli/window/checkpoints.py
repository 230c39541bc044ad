"""`backstory checkpoint`, `restore`, `flash-save` and `prune`: keeping a window within its limit by hand."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.application.window.pruning import Pruned
from backstory.domain.errors import Conflict, InvalidInput, NotFound, Refused, VerificationFailed
from backstory.domain.window.priorities import KeepPriority
from backstory.interfaces.cli.commands import Actor, Json, Key, SessionName, command, run_of, said_by
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.output.layout import columns
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.checkpoints import CheckpointDocument, RestoredCheckpointDocument
from backstory.interfaces.documents.window import FlashSaveDocument, PruneDocument
from backstory.interfaces.wording import counted

Window = Annotated[str, typer.Option(metavar="NAME", help="The window.")]
RANKED_SHOWN = 30
"""Lines of a dry run: the rest is in its JSON."""


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
            "A checkpoint names a version and says what a restore is held to: the state's digest, open tasks, "
            "counters, the conversation and checksums of files. With `--root` the files are read there; without, the "
            "checksums are those that the session was told."
        ),
    ),
)
def checkpoint(
    context: typer.Context,
    session: SessionName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.", show_default=False)],
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Read the files that matter below this folder.")
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A file below --root; may be repeated.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write checkpoint_<time>.json there.")
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Name this version, with all that a restore is held to."""
    run = run_of(context)
    with run.session(session) as found:
        version = said_by(found, actor, key).checkpoints.create(name, files=file or (), root=root)
        taken = found.checkpoints.file(version)
        place = None if save is None else found.checkpoints.save(save, version)
    if json:
        run.document(
            CheckpointDocument(session=found.id, version=version, name=name, chain=taken.chain, file=place)
        )
        return
    run.out.print(Text(f"checkpoint {name} at version {version}, chain {taken.chain[:16]}…"))
    if place is not None:
        run.out.print(Text(f"written to {place}", "quiet"), soft_wrap=True)


@command(
    "restore",
    Manual(
        examples=(
            "backstory restore last",
            'backstory restore last "before the merge" --root .',
            "backstory restore last --file checkpoints/checkpoint_20260115T091200Z.json",
        ),
        document=RestoredCheckpointDocument,
        fails=(NotFound, Refused, Conflict, VerificationFailed),
        notes=(
            "The record is verified up to the checkpoint and the state is held to its digest first; where either "
            "differs, nothing is changed and the command ends with 7. Files are never written: it says which of "
            "them are not as they were. Nothing is deleted; `backtrack` to the version before takes it back."
        ),
    ),
)
def restore(
    context: typer.Context,
    session: SessionName,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="CHECKPOINT", help="Its name or version. Otherwise the newest.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The checkpoint that this file holds.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the files are. Otherwise the current folder.")
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="TEXT", help="The reason, for the record.")] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make the state of a checkpoint current again, and say what differs on disk."""
    if name is not None and file is not None:
        raise InvalidInput("checkpoint", "must be named or given as a file, not both")
    run = run_of(context)
    wanted = int(name) if name is not None and name.isdecimal() else name
    with run.session(session) as found:
        done = said_by(found, actor, key).checkpoints.restore(file or wanted, root=root, why=why)
    if json:
        run.document(RestoredCheckpointDocument.of(found.id, done))
        return
    verified = {True: "its state verified", False: "its state differs", None: "its state not told"}
    how = f"current again at version {done.version}" if done.went_back else "was current already"
    run.out.print(
        Text(f"checkpoint {done.name} (version {done.checkpoint}): {how}, {verified[done.state_verified]}")
    )
    if done.files:
        rows = [[Text(one.kind, "altered"), Text(one.path)] for one in done.files]
        run.out.print(Text("on disk, these are not as they were:", "quiet"))
        run.out.print(columns(rows, indent=2))


@command(
    "flash-save",
    Manual(
        examples=("backstory flash-save last", "backstory flash-save last --agent coder --json"),
        document=FlashSaveDocument,
        fails=(NotFound, Refused, Conflict),
        notes="What always stays, stays: system prompt, constraints, open goals, current task, newest decisions, pins.",
    ),
)
def flash_save(
    context: typer.Context,
    session: SessionName,
    window: Window = "main",
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this agent's private items leave.")
    ] = None,
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Take a checkpoint and clear the window but for what is HOT."""
    run = run_of(context)
    with run.session(session) as found:
        done = said_by(found, actor, key).window.flash_save(window=window, agent=agent)
    if json:
        run.document(FlashSaveDocument.of(found.id, done))
        return
    run.out.print(
        f"{done.tokens_before:,} → {done.tokens_after:,} tokens: {counted(done.items_archived, 'COLD item')} archived, "
        f"{counted(done.items_stored, 'WARM item')} stored, {counted(done.hot_items_retained, 'HOT item')} kept"
    )
    run.out.print(Text(f"to take it back: backstory restore {found.id} {done.checkpoint_id}", "quiet"))


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
            "Essentials stay first, then items by priority and points; one that does not fit is passed over. "
            "`backstory undo` brings everything back by one event."
        ),
    ),
)
def prune(
    context: typer.Context,
    session: SessionName,
    target: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Of the limit, 0 to 1; else the policy's 0.70.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would leave, and why.")] = False,
    aggressive: Annotated[
        bool, typer.Option("--aggressive", help="Keep nothing but the barest context.")
    ] = False,
    window: Window = "main",
    actor: Actor = None,
    key: Key = None,
    json: Json = False,
) -> None:
    """Take the items that matter least out of a window."""
    run = run_of(context)
    with run.session(session) as found:
        done = said_by(found, actor, key).window.prune(target, dry_run, aggressive, window=window)
    if json:
        run.document(PruneDocument.of(found.id, done))
        return
    _tell_pruned(run, done)


def _tell_pruned(run: Run, done: Pruned) -> None:
    verb = "would leave" if done.dry_run else "left"
    run.out.print(
        f"{done.tokens_before:,} → {done.tokens_after:,} of {done.limit:,} tokens: "
        f"{counted(len(done.dropped), 'item')} {verb}, {len(done.kept):,} kept from {done.threshold} points on"
    )
    if not done.reached:
        run.out.print(Text(f"the essentials alone are over the target of {done.target:,}", "altered"))
    if done.dry_run and done.ranked:
        rows = [
            [
                Text("stays" if one.kept else "leaves", "come" if one.kept else "gone"),
                Text(str(one.item), "version"),
                Text(one.type, "type"),
                Text(f"{one.tokens:,}"),
                Text(str(one.points)),
                Text(
                    "essential"
                    if one.essential
                    else KeepPriority(one.priority).name.lower().replace("_", " "),
                    "quiet",
                ),
            ]
            for one in done.ranked[:RANKED_SHOWN]
        ]
        head = [Text(cell, "quiet") for cell in ("", "item", "type", "tokens", "points", "priority")]
        run.out.print(columns([head, *rows], right=(1, 3, 4)))
        if len(done.ranked) > RANKED_SHOWN:
            run.out.print(Text(f"… and {len(done.ranked) - RANKED_SHOWN:,} more: see --json", "quiet"))
    elif done.version is not None:
        run.out.print(Text(f"version {done.version}; `backstory undo` takes it back", "quiet"))
