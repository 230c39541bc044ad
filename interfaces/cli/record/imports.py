"""`backstory import`: transcripts of other tools, and exported sessions."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer
from rich.progress import DownloadColumn

from backstory.domain.errors import Conflict, InvalidInput, Refused, VerificationFailed
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.layout import print_table
from backstory.interfaces.cli.output.progress import progress_display
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.transfer import ImportDocument
from backstory.interfaces.wording import counted, one_line, session_name, short_id, size

if TYPE_CHECKING:
    from backstory.application.store import ContextStore
    from backstory.application.transfer.importer import Imported

Report = Callable[[int, int], None]


@command(
    "import",
    Manual(
        examples=(
            "backstory import transcript.jsonl",
            "backstory import ~/.claude/projects/-home-ana-orders --json",
            "backstory import --format openhands output.jsonl",
            "backstory import backstory-0198c7d2.jsonl.zst",
        ),
        document=ImportDocument,
        lines=True,
        fails=(Refused, Conflict, VerificationFailed),
        notes=(
            "The formats are `claude-code`, `codex`, `openhands` and `backstory`, the format of `backstory export`. An "
            "export is verified as a whole before anything is written; its sessions keep their ids, times and chain. "
            "Every line is kept exactly, including lines that are not messages. Importing a file again adds only new "
            "lines; an interrupted import continues where it ended. From a folder, every `*.jsonl` and `*.jsonl.zst` "
            "is imported; files of unknown formats are named on stderr and skipped. In the table, `known` lines had "
            "been imported before, and `kept` lines became no event of their own."
        ),
    ),
)
def import_transcripts(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Transcripts, exports, or folders of them.", show_default=False),
    ],
    format: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="claude-code, codex, openhands or backstory. Otherwise detected."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="UUID", help="The session to import to, if the file holds one."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The project of new sessions. Otherwise the git remote or the folder worked in.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Import transcripts of Claude Code and Codex, runs of OpenHands, and exported sessions."""
    from backstory.application.transcripts.files import has_known_format

    run = run_of(context)
    named = [(file, path) for path in files for file in _files_in(path)]
    if session is not None and len(named) > 1:
        raise InvalidInput("session", f"is for one file, and there are {len(named)}")
    chosen = []
    for file, given in named:
        if file == given or has_known_format(file, format):
            chosen.append(file)
        else:
            run.notice("skipped: unknown format", str(file))
    done: list[tuple[Path, Imported]] = []
    with run.store() as store, _progress(run) as report_on:
        began = time.monotonic()
        for file in chosen:
            imported = store.import_file(
                file, format=format, session=session, project=project, progress=report_on(file)
            )
            done += [(file, each) for each in imported]
            if json:
                for each in imported:
                    run.line(ImportDocument.of(file, each))
        took = time.monotonic() - began
        names = {each.session: _named(store, each) for _, each in done if not json}
    if not json:
        _tell(run, done, names, sum(file.stat().st_size for file in chosen), took)


def _named(store: "ContextStore", each: "Imported") -> str:
    if each.project is not None:
        return f"memory of {one_line(each.project)}: {counted(each.memories, 'memory')}"
    return session_name(store.summary(each.session))


def _files_in(path: Path) -> list[Path]:
    """The file itself or, of a folder, the transcripts in it."""
    if not path.is_dir():
        return [path]
    files = sorted([*path.glob("*.jsonl"), *path.glob("*.jsonl.zst")])
    if not files:
        raise InvalidInput("file", f"{str(path)!r} has no *.jsonl or *.jsonl.zst in it")
    return files


@contextmanager
def _progress(run: Run) -> Iterator[Callable[[Path], Report | None]]:
    """A bar for each file, where somebody is there to see it."""
    with progress_display(run, DownloadColumn()) as progress:

        def report_on(file: Path) -> Report | None:
            if progress is None:
                return None
            task = progress.add_task(one_line(file.name), total=None)
            return lambda read, size: progress.update(task, completed=read, total=size)

        yield report_on


def _tell(
    run: Run, done: list[tuple[Path, "Imported"]], names: dict[UUID, str], read: int, seconds: float
) -> None:
    headings = ("session", "lines", "known", "kept", "messages", "tools", "compactions", "title")
    rows: list[list[str]] = []
    for _, each in done:
        counts = (
            each.lines,
            each.already_there,
            each.kept_as_they_are,
            each.messages,
            each.exchanges,
            each.compactions,
        )
        rows.append([short_id(each.session), *(f"{count:,}" for count in counts), names[each.session]])
    if done:
        print_table(run.out, headings, rows, right=range(1, 7), how="see --json")
    secrets = sum((Counter(each.secrets) for _, each in done), Counter[str]())
    for flag, count in sorted(secrets.items()):
        run.out.print(Text(f"{flag.replace(':', ' ')}: {count:,}", "quiet"))
    lines = sum(each.lines for _, each in done)
    speed = f": {lines / seconds:,.0f} lines a second" if seconds > 0 else ""
    run.out.print(Text(f"{counted(lines, 'line')}, {size(read)}, in {seconds:.1f} s{speed}", "quiet"))
