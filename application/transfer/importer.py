"""An export into a store. The whole file is verified before anything is written, and each session is one transaction:
until it commits nobody sees any of it, whatever happens nothing of it is left half done, and an import that was
interrupted goes on with the sessions that are not there yet. The price: the feed waits while a session is written.

Most of the time goes into the verification. So the database keeps, until the import is done, that this very file was
found to be sound: when the import is started again it is hashed, and written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from backstory.application import __version__
from backstory.application.queries.read_models import read_sessions
from backstory.application.runtime import Runtime
from backstory.application.transcripts.session_import import Imported
from backstory.application.transfer.ahead import ahead
from backstory.application.transfer.audit import audit_opened
from backstory.application.transfer.file_check import Mark, Reached
from backstory.application.transfer.files import ExportFile, opened
from backstory.application.transfer.indexing import Index, index_export
from backstory.application.transfer.rereading import Call, Rereading
from backstory.application.transfer.streams import Family, Stream
from backstory.domain.errors import SessionDiffers
from backstory.domain.events import ItemsCompacted, MessageAdded, ToolCalled
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.lineage import BranchPoint
from backstory.infrastructure.postgres.binary_arrays import allow_binary_arrays
from backstory.infrastructure.postgres.database import hold_stream
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import base_rows

FORMAT = "backstory"
NOTED_FROM = 8 * 2**20
"""Bytes from which on it is worth to note that a file was audited: some seconds of work."""
AUDITOR = f"backstory {__version__}, fold {FOLD_VERSION}"
"""The code whose word is taken: another one may look for more."""

Progress = Callable[[int, int], None]
"""Called now and then with the bytes that were read so far and those there are to read."""


def import_export(
    runtime: Runtime, path: Path | str, progress: Progress | None = None
) -> tuple[Imported, ...]:
    """Imports every session of an export that is not there yet. A file that is cut or altered, or that has a session
    that is there as something else, is refused as a whole. It is read twice: to be verified, or to be known again, and
    to be written."""
    with opened(path) as file:

        def reached(place: int) -> None:
            if progress is not None:
                progress(place // 2, file.size)

        before = _audited_before(runtime, file, reached)
        found = before or _audited(file, Path(path), reached)
        streams = found.family.streams.values()
        missing = [stream for stream in streams if not _is_there(runtime, stream)]
        noted = before is not None
        if missing and not noted and file.size >= NOTED_FROM:
            noted = True
            _note(runtime, query("note_audited"), found.digest, AUDITOR)
        done = []
        for stream in streams:
            mark = found.marks[stream.id]
            work = _StreamImport(
                runtime, found.family, stream, mark, lambda place: reached(file.size + place)
            )
            done.append(work.run())
        if noted:
            _note(runtime, query("forget_audited"), found.digest)
        reached(2 * file.size)
        return tuple(done)


def _audited(file: ExportFile, path: Path, reached: Reached) -> Index:
    """Where things stand in a file that was audited now. VerificationFailed where it is not sound."""
    audit, inspection = audit_opened(file, path, contexts=False, reached=reached)
    audit.require()
    assert inspection.family is not None
    return Index(inspection.family, inspection.marks, inspection.digest)


def _audited_before(runtime: Runtime, file: ExportFile, reached: Reached) -> Index | None:
    """The same of a file that was audited by an import that was then interrupted."""
    if file.size < NOTED_FROM or file.damage is not None:
        return None
    rows = runtime.database.read(lambda c: c.execute(query("audited_files"), (AUDITOR,)).fetchall())
    found = index_export(file, reached) if rows else None
    return found if found is not None and (found.digest,) in rows else None


def _note(runtime: Runtime, statement: bytes, *values: object) -> None:
    runtime.database.repeat(lambda connection: connection.execute(statement, values), certain=True)


def _is_there(runtime: Runtime, stream: Stream) -> bool:
    """Whether the store has the session already. One that went on since is the same; SessionDiffers for any other."""
    note = stream.note
    head = runtime.log.head(note.stream)
    if head is None:
        left = runtime.log.tombstone(note.stream)
        if left is not None and (left.version, left.chain.hex()) != (note.last, note.chain):
            raise SessionDiffers(
                f"session {note.stream} was purged with {left.version} versions and the chain {left.chain.hex()}: "
                "only that may come back."
            )
        return False
    if head.version < note.last:
        raise SessionDiffers(
            f"session {note.stream} is there with {head.version} versions, and the file has {note.last}."
        )
    there = runtime.log.chain_at(note.stream, note.last)
    if there is None or there.hex() != note.chain:
        raise SessionDiffers(f"session {note.stream} is there with another history than the file's.")
    return True


class _StreamImport:
    """One session's import."""

    def __init__(
        self, runtime: Runtime, family: Family, stream: Stream, mark: Mark, reached: Reached
    ) -> None:
        self._runtime = runtime
        self._family = family
        self._stream = stream
        self._rereading = Rereading(family.file, stream, mark)
        self._reached = reached

    def run(self) -> Imported:
        """What came of it. Asked again when the connection was lost: what was committed is then there."""
        written = False
        if not _is_there(self._runtime, self._stream):
            # Read before a connection is taken for the rest: who holds one must not wait for another.
            base = self._base()
            try:
                self._runtime.database.repeat(lambda connection: self._write(connection, base), certain=True)
                written = True
            except SessionDiffers:
                # Somebody else imported it at the same time, or this did before the connection was lost; or it
                # differs, which is said once more.
                if not _is_there(self._runtime, self._stream):
                    raise
        if written:
            self._runtime.database.announcer.appended()
        else:
            self._rereading.count()
        self._reached(self._rereading.reached)
        return self._answer(already_there=0 if written else self._rereading.lines)

    def _write(self, connection: psycopg.Connection, base: dict[str, Any] | None) -> None:
        note, origin = self._stream.note, self._stream.origin
        chain = (
            None if origin is None else self._family.chain_at(origin.resumed_stream, origin.resumed_version)
        )
        allow_binary_arrays(connection)
        with connection.transaction():
            if origin is not None:
                self._hold_origin(connection, origin, chain)
            # The next batch is read while the server writes this one.
            with ahead(self._rereading.calls(chain)) as calls:
                for call in calls:
                    self._send(connection, call)
            end = (
                note.stream,
                note.last,
                bytes.fromhex(note.chain),
                Jsonb(base) if base is not None else None,
            )
            connection.execute(query("finish_import"), end)

    def _send(self, connection: psycopg.Connection, call: Call) -> None:
        connection.execute(call.statement, call.parameters, binary=True)
        self._reached(self._rereading.reached)

    def _hold_origin(self, connection: psycopg.Connection, origin: BranchPoint, chain: bytes | None) -> None:
        """What a fork began in must be there, as the file has it, and stay."""
        hold_stream(connection, origin.resumed_stream)
        row = connection.execute(
            query("chain_at"), (origin.resumed_stream, origin.resumed_version)
        ).fetchone()
        if row is None or row[0] != chain:
            raise SessionDiffers(
                f"session {origin.resumed_stream} is there with another history than the file's."
            )

    def _base(self) -> dict[str, Any] | None:
        """The read models at the root of the newest branch, when that is in another stream."""
        stream = self._stream
        branch = self._family.lineage(stream.id, stream.note.last)
        foreign = [piece for piece in branch if piece.stream != stream.id]
        if not foreign:
            return None
        root = foreign[-1]
        state = self._runtime.reader.state(root.stream, root.last)
        return base_rows(state, self._runtime.reader.lineage(root.stream, root.last))

    def _answer(self, *, already_there: int) -> Imported:
        (summary,) = read_sessions(self._runtime, id=self._stream.id, limit=1)
        return Imported(
            session=self._stream.id,
            title=summary.title,
            lines=self._rereading.lines,
            messages=self._rereading.types[MessageAdded.type],
            exchanges=self._rereading.types[ToolCalled.type],
            compactions=self._rereading.types[ItemsCompacted.type],
            kept_as_they_are=0,
            already_there=already_there,
        )
