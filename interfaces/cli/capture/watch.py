"""`backstory watch`: imports transcripts as they grow."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backstory.domain.errors import InvalidInput, Unavailable
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.stop import until_told
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.transfer import ImportDocument
from backstory.interfaces.wording import counted, one_line, short_id

if TYPE_CHECKING:
    from backstory.application.capture.follow import Followed


@command(
    "watch",
    Manual(
        examples=("backstory watch", "backstory watch --once", "backstory watch ~/transcripts --every 5"),
        document=ImportDocument,
        lines=True,
        notes=(
            "Without a FOLDER it watches those in which Claude Code and Codex keep their transcripts, and what the "
            "hooks of `backstory capture install` noted. Every `*.jsonl` and `*.jsonl.zst` below is imported as by "
            "`backstory import`, again and again, with what has come since: also after a restart, and "
            "where a file was renamed, rewritten in place by a compaction, cut off or removed. What was imported once "
            "stays. Half-written lines wait until they are complete; secrets are masked. Files of unknown formats are "
            "named on stderr once. While there is no database it waits for one. Ends on SIGTERM and Ctrl-C."
        ),
    ),
)
def watch(
    context: typer.Context,
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER…", help="Folders of transcripts.", show_default=False),
    ] = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", help="How often to look for changes.", min=0.1, max=3600)
    ] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Import what is there, then end.")] = False,
    json: Json = False,
) -> None:
    """Import the transcripts of agents as they grow."""
    from backstory.application.capture.follow import Follower, memo_for
    from backstory.application.capture.noted import NotedSessions
    from backstory.application.capture.places import hooks_folder, state_folder, transcript_folders

    run = run_of(context)
    for folder in folders or ():
        if not folder.is_dir():
            raise InvalidInput("folder", f"there is no folder {str(folder)!r}")
    chosen = folders or transcript_folders()
    with run.store() as store, run.warnings(), until_told() as told:
        follower = Follower(store, chosen, memo_for(store, state_folder()))
        look = follower.look if folders else NotedSessions(store, follower, hooks_folder()).look
        if not once:
            run.begun(f"watching {', '.join(map(str, chosen))}")
        waiting = False
        while True:
            try:
                for found in look():
                    _tell(run, found, json)
                waiting = False
            except Unavailable as error:
                if once:
                    raise
                if not waiting:
                    run.notice("waiting for the database", str(error))
                waiting = True
            if once or told(every):
                return


def _tell(run: Run, found: "Followed", json: bool) -> None:
    if found.refused is not None:
        run.notice("skipped", f"{one_line(str(found.file))}: {found.refused}")
        return
    for done in found.imported:
        if json:
            run.line(ImportDocument.of(found.file, done))
            sys.stdout.flush()
            continue
        news = done.lines - done.already_there
        run.out.print(
            Text.assemble(
                (short_id(done.session), "version"),
                f"  {one_line(done.title or found.file.name)}  ",
                (f"{counted(news, 'new line')}, {counted(done.messages, 'message')}", "quiet"),
            )
        )
