"""The import of an export. The whole file is audited before anything is written. Each session is one transaction, so
that an interrupted import continues with the sessions that are missing. The feed waits while a session is written."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from backstory.application.queries.session_list import read_session
from backstory.application.runtime import PROJECT, Runtime
from backstory.application.transfer.audit import audit_opened
from backstory.application.transfer.file_check import Reached
from backstory.application.transfer.files import opened
from backstory.application.transfer.lost_sources import erase_lost
from backstory.application.transfer.stream_lines import Statement, StreamLines
from backstory.application.transfer.streams import ExportedStream, ExportedStreams
from backstory.domain.errors import SessionDiffers
from backstory.domain.events import ItemsCompacted, MemoryRecorded, MessageAdded, ToolCalled
from backstory.domain.log.lineage import BranchPoint
from backstory.infrastructure.postgres.locks import hold_stream
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import base_rows

FORMAT = "backstory"

Progress = Callable[[int, int], None]
"""Called now and then with the number of bytes read and their total."""


class Imported(NamedTuple):
    """The result of an import for one session, or for the memory of one project. `lines` are its lines in the file;
    `already_there` of them were skipped. The other numbers count the new ones."""

    session: UUID
    title: str | None
    lines: int
    messages: int
    exchanges: int
    compactions: int
    kept_as_they_are: int
    already_there: int
    project: str | None = None
    """The project, if it is the memory of one that was imported."""
    memories: int = 0
    secrets: Mapping[str, int] = MappingProxyType({})
    """By flag, such as `masked:github-token`, how many secrets were found in the new lines."""


def import_export(
    runtime: Runtime, path: Path | str, progress: Progress | None = None
) -> tuple[Imported, ...]:
    """Imports every session of an export that is not there yet. Refuses the whole file if it was cut or altered, or if
    a session is there with another history. The file is read twice: for the audit and for the import."""
    with opened(path) as file:

        def reached(offset: int) -> None:
            if progress is not None:
                progress(offset // 2, file.size)

        audit, check = audit_opened(file, Path(path), contexts=False, reached=reached)
        audit.require()
        assert check.streams is not None
        for stream in check.streams.by_id.values():
            _is_there(runtime, stream, check.streams.projects.get(stream.id))
        imported = []
        for stream in check.streams.by_id.values():
            lines = StreamLines(file, stream, check.stream_digests[stream.id])
            work = _StreamImport(
                runtime, check.streams, stream, lines, lambda offset: reached(file.size + offset)
            )
            imported.append(work.run())
        reached(2 * file.size)
        return tuple(imported)


def _is_there(runtime: Runtime, stream: ExportedStream, project: str | None) -> bool:
    """Whether the store has the stream already, perhaps with newer events. SessionDiffers if its history differs."""
    note = stream.note
    named = f"session {note.stream}" if project is None else f"the memory of project {project!r}"
    head = runtime.log.head(note.stream)
    if head is None:
        left = runtime.log.tombstone(note.stream)
        if left is not None and (left.version, left.chain.hex()) != (note.last, note.chain):
            raise SessionDiffers(
                f"{named} was purged with {left.version} versions and the chain {left.chain.hex()}: "
                "only that may come back."
            )
        return False
    if head.version < note.last:
        raise SessionDiffers(f"{named} is there with {head.version} versions, and the file has {note.last}.")
    chain = runtime.log.chain_at(note.stream, note.last)
    if chain is None or chain.hex() != note.chain:
        raise SessionDiffers(f"{named} is there with another history than the file's.")
    return True


class _StreamImport:
    """The import of one session."""

    def __init__(
        self,
        runtime: Runtime,
        streams: ExportedStreams,
        stream: ExportedStream,
        lines: StreamLines,
        reached: Reached,
    ) -> None:
        self._runtime = runtime
        self._streams = streams
        self._stream = stream
        self._lines = lines
        self._reached = reached

    def run(self) -> Imported:
        """Writes the session unless it is there. Repeated after a lost connection, it finds what was committed."""
        written = False
        left = self._runtime.log.tombstone(self._stream.id)
        if not self._is_there():
            # Read before a connection is taken for the rest: who holds one must not wait for another.
            base = self._base()
            try:
                self._runtime.database.repeat(lambda connection: self._write(connection, base), certain=True)
                written = True
            except SessionDiffers:
                # Another import wrote it at the same time, or this one did before the connection was lost. If it
                # differs, `_is_there` raises again.
                if not self._is_there():
                    raise
        if written:
            self._runtime.database.announcer.appended()
        else:
            self._lines.count()
        self._reached(self._lines.reached)
        if self._stream.note.kind == PROJECT and (written or self._is_untouched()):
            known = {id: stream.note.last for id, stream in self._streams.by_id.items()}
            erase_lost(self._runtime, self._stream.id, known, None if left is None else left.purged_at)
        return self._result(already_there=0 if written else self._lines.lines)

    def _is_there(self) -> bool:
        return _is_there(self._runtime, self._stream, self._streams.projects.get(self._stream.id))

    def _is_untouched(self) -> bool:
        """Whether nothing was written since the import: an earlier one may have ended before it looked for erasures."""
        head = self._runtime.log.head(self._stream.id)
        return head is not None and head.version == self._stream.note.last

    def _write(self, connection: psycopg.Connection, base: dict[str, Any] | None) -> None:
        note, origin = self._stream.note, self._stream.origin
        chain = None
        if origin is not None:
            chain = self._streams.chain_at(origin.resumed_stream, origin.resumed_version)
        with connection.transaction():
            if origin is not None:
                self._hold_origin(connection, origin, chain)
            for statement in self._lines.statements(chain):
                self._send(connection, statement)
            base_document = None if base is None else Jsonb(base)
            connection.execute(
                query("finish_import"), (note.stream, note.last, bytes.fromhex(note.chain), base_document)
            )

    def _send(self, connection: psycopg.Connection, statement: Statement) -> None:
        connection.execute(statement.text, statement.parameters, binary=True)
        self._reached(self._lines.reached)

    def _hold_origin(self, connection: psycopg.Connection, origin: BranchPoint, chain: bytes | None) -> None:
        """Locks the stream that a fork began in, and checks that it is the one of the file."""
        hold_stream(connection, origin.resumed_stream)
        row = connection.execute(
            query("chain_at"), (origin.resumed_stream, origin.resumed_version)
        ).fetchone()
        if row is None or row[0] != chain:
            raise SessionDiffers(
                f"session {origin.resumed_stream} is there with another history than the file's."
            )

    def _base(self) -> dict[str, Any] | None:
        """The read models at the root of the current branch, if that is in another stream."""
        stream = self._stream
        branch = self._streams.lineage(stream.id, stream.note.last)
        foreign = [range_ for range_ in branch if range_.stream != stream.id]
        if not foreign:
            return None
        root = foreign[-1]
        state = self._runtime.reader.state(root.stream, root.last)
        return base_rows(state, self._runtime.reader.lineage(root.stream, root.last))

    def _result(self, *, already_there: int) -> Imported:
        project = self._streams.projects.get(self._stream.id)
        title = None if project is not None else read_session(self._runtime, self._stream.id).title
        return Imported(
            session=self._stream.id,
            title=title,
            lines=self._lines.lines,
            messages=self._lines.types[MessageAdded.type],
            exchanges=self._lines.types[ToolCalled.type],
            compactions=self._lines.types[ItemsCompacted.type],
            kept_as_they_are=0,
            already_there=already_there,
            project=project,
            memories=self._lines.types[MemoryRecorded.type],
        )
