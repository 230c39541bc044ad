"""The import of a file: its format is detected, and its lines are split by session."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple
from uuid import UUID, uuid5

from backstory.application.identifiers import find_session
from backstory.application.runtime import Runtime
from backstory.application.transcripts import claude_code, codex, openhands
from backstory.application.transcripts.json_lines import lines_of
from backstory.application.transcripts.projects import project_of
from backstory.application.transcripts.session_import import SessionImport
from backstory.application.transcripts.steps import Line, Reader, TranscriptStep
from backstory.application.transfer import importer as transfer
from backstory.application.transfer.files import is_export, opened_plain
from backstory.application.transfer.importer import Imported
from backstory.domain.errors import InvalidInput
from backstory.domain.values import is_label, label

Progress = Callable[[int, int], None]
"""Called now and then with the number of bytes read and the size of the file."""

NAMESPACE = UUID("6f1f6c7e-7d0b-5c0e-9a53-2f0c5a1d8e11")
"""The namespace of session ids that are derived from ids elsewhere."""

_REPORT_EVERY = 50_000
"""Bytes between two reports of progress."""


class Format(NamedTuple):
    """A transcript format: a test for its lines, and a reader."""

    recognizes: Callable[[Line], bool]
    reader: Callable[[], Reader]


FORMATS: dict[str, Format] = {
    claude_code.FORMAT: Format(claude_code.recognizes, claude_code.ClaudeCodeReader),
    codex.FORMAT: Format(codex.recognizes, codex.CodexReader),
    openhands.FORMAT: Format(openhands.recognizes, openhands.OpenHandsReader),
}


def imported_session_id(format: str, source: str) -> UUID:
    """The id of an imported session. It is always the same for the same id elsewhere."""
    return uuid5(NAMESPACE, f"{format}:{source}")


def has_known_format(path: Path | str, format: str | None = None) -> bool:
    """Whether a readable file has a line of a known format, or of the given one."""
    if format in (None, transfer.FORMAT) and is_export(path):
        return True
    file_path = Path(path)
    if format == transfer.FORMAT:
        return False
    try:
        with opened_plain(file_path) as file:
            return bool(_format_of(file, file_path, format))
    except InvalidInput:
        return False


def import_file(
    runtime: Runtime,
    path: Path | str,
    *,
    format: str | None = None,
    session: UUID | str | None = None,
    growing: bool = False,
    project: str | None = None,
    here: bool = True,
    progress: Progress | None = None,
) -> tuple[Imported, ...]:
    """Imports a transcript; see ContextStore.import_file."""
    if format not in (None, transfer.FORMAT, *FORMATS):
        raise InvalidInput(
            "format", f"must be one of {', '.join(FORMATS)}, {transfer.FORMAT}, got {format!r}"
        )
    if format == transfer.FORMAT or (format is None and is_export(path)):
        if project is not None:
            raise InvalidInput("project", "is for transcripts: the sessions of an export keep theirs")
        if session is not None:
            raise InvalidInput("session", "is for transcripts: the sessions of an export keep their ids")
        return transfer.import_export(runtime, path, progress)
    if project is not None:
        label("project", project)
    target = None if session is None else find_session(runtime, session)
    file_path = Path(path)
    with opened_plain(file_path) as file:
        detected = _format_of(file, file_path, format)
        if target is not None:
            _require_one_session(file, file_path, detected)
        file.seek(0)
        size = os.fstat(file.fileno()).st_size
        return _import(
            runtime,
            lines_of(file, growing=growing),
            file_path,
            detected,
            target,
            (lambda _: project) if project is not None else partial(project_of, here=here),
            lambda read: progress and progress(read, size),
        )


def _import(
    runtime: Runtime,
    lines: Iterable[Line],
    file_path: Path,
    format: str,
    target: UUID | None,
    project: Callable[[str], str | None],
    report: Callable[[int], None],
) -> tuple[Imported, ...]:
    sessions: dict[str, SessionImport] = {}
    name = _file_name(file_path)
    read, reported = 0, 0
    for source, line, steps in _by_session(lines, file_path, FORMATS[format].reader()):
        if source not in sessions:
            stream = target or imported_session_id(format, source)
            sessions[source] = SessionImport(runtime, stream, format, name, project)
        sessions[source].take(line, steps)
        read += len(line.data)
        if read - reported >= _REPORT_EVERY:
            reported = read
            report(read)
    done = tuple(each.finish() for each in sessions.values())
    report(read)
    return done


def _by_session(
    lines: Iterable[Line], file_path: Path, reader: Reader
) -> Iterator[tuple[str, Line, list[TranscriptStep]]]:
    """Each line with its session. A line without one belongs to the session of the line before it, or at the
    beginning to the first that follows. If no line names a session, the file's name does."""
    undecided: list[tuple[Line, list[TranscriptStep]]] = []
    current: str | None = None
    for line in lines:
        steps = reader.read(line)
        current = steps[0].session or current
        undecided.append((line, steps))
        if current is not None:
            yield from ((current, *each) for each in undecided)
            undecided.clear()
    yield from ((file_path.stem, *each) for each in undecided)


def _format_of(file: BinaryIO, file_path: Path, format: str | None) -> str:
    """The format of the first line that only one format recognizes. A file without such a line is refused before
    anything is written."""
    empty, binary = True, False
    for line in lines_of(file):
        empty = False
        binary = binary or (line.number <= 100 and b"\0" in line.data)
        for name in FORMATS if format is None else (format,):
            if FORMATS[name].recognizes(line):
                return name
    if empty:
        raise InvalidInput("file", f"{str(file_path)!r} is empty")
    if binary:
        raise InvalidInput("file", f"{str(file_path)!r} is binary, not a transcript")
    known = format or f"any known format: {', '.join(FORMATS)}"
    raise InvalidInput("file", f"{str(file_path)!r} has no line of {known}")


def _require_one_session(file: BinaryIO, file_path: Path, format: str) -> None:
    file.seek(0)
    sources = {source for source, _, _ in _by_session(lines_of(file), file_path, FORMATS[format].reader())}
    if len(sources) > 1:
        raise InvalidInput("session", f"must be left out: {str(file_path)!r} holds {len(sources)} sessions")


def _file_name(file_path: Path) -> str:
    """The file's name as a valid label."""
    name = file_path.name.encode(errors="replace").decode()
    name = "".join(character if character.isprintable() else "?" for character in name)[:190]
    return name if is_label(name) else "transcript"
