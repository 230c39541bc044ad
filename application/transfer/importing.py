"""An export into a store. The whole file is verified before anything is written, and each session is one transaction:
until it commits nobody sees any of it, whatever happens nothing of it is left half done, and an import that was
interrupted goes on with the sessions that are not there yet. The price: the feed waits while a session is written."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg.types.json import Jsonb

from backstory.core import Core
from backstory.domain.errors import SessionDiffers, VerificationFailed
from backstory.domain.events import ItemsCompacted, MessageAdded, ToolCalled
from backstory.domain.lineage import Seam
from backstory.importing.session_import import Imported
from backstory.infrastructure.database import hold_stream
from backstory.infrastructure.queries import query
from backstory.projections.base_rows import base_rows
from backstory.read_models import read_sessions
from backstory.transfer.auditing import audit_opened
from backstory.transfer.family import Family, Stream
from backstory.transfer.files import opened
from backstory.transfer.lines import AppendLine, ContentLine, EndLine, EventLine, decode

FORMAT = "backstory"

EVENTS_A_BATCH = 500
BYTES_A_BATCH = 4 * 2**20

Progress = Callable[[int, int], None]


def import_export(core: Core, path: Path | str, progress: Progress | None = None) -> tuple[Imported, ...]:
    """Imports every session of an export that is not there yet. A file that is cut or altered, or that has a session
    that is there as something else, is refused as a whole."""
    with opened(path) as file:
        audit, inspection = audit_opened(file, Path(path), contexts=False)
        audit.require()
        family = inspection.family
        assert family is not None
        for stream in family.streams.values():
            _is_there(core, stream)
        done = []
        for stream in family.streams.values():
            work = _StreamImport(core, family, stream, inspection.hashes[stream.id])
            done.append(work.run())
            if progress is not None:
                progress(work.reached, file.size)
        return tuple(done)


def _is_there(core: Core, stream: Stream) -> bool:
    """Whether the store has the session already. One that went on since is the same; SessionDiffers for any other."""
    note = stream.note
    head = core.log.head(note.stream)
    if head is None:
        left = core.log.tombstone(note.stream)
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
    there = core.log.chain_at(note.stream, note.last)
    if there is None or there.hex() != note.chain:
        raise SessionDiffers(f"session {note.stream} is there with another history than the file's.")
    return True


class _Batch(NamedTuple):
    """Lines that go to the database together."""

    events: list[EventLine]
    contents: list[ContentLine]
    appends: list[AppendLine]
    size: int


class _StreamImport:
    """One session's import."""

    def __init__(self, core: Core, family: Family, stream: Stream, sha256: str) -> None:
        self._core = core
        self._family = family
        self._stream = stream
        self._sha256 = sha256
        self.reached = stream.place
        self._lines = 0
        self._counts: dict[str, int] = {}

    def run(self) -> Imported:
        """What came of it. Asked again when the connection was lost: what was committed is then there."""
        if _is_there(self._core, self._stream):
            self._count_lines()
            return self._answer(already_there=self._lines)
        # Read before a connection is taken for the rest: who holds one must not wait for another.
        base = self._base()
        try:
            written = self._core.database.repeat(
                lambda connection: self._attempt(connection, base), certain=True
            )
        except SessionDiffers:
            # Somebody else imported it at the same time; or it differs, which is said once more.
            if not _is_there(self._core, self._stream):
                raise
            written = False
        self._core.database.announcer.appended()
        return self._answer(already_there=0 if written else self._lines)

    def _attempt(self, connection: psycopg.Connection, base: dict[str, Any] | None) -> bool:
        if _is_there(self._core, self._stream):
            return False
        note, origin = self._stream.note, self._stream.origin
        self._lines, self._counts = 0, {}
        chain = (
            None if origin is None else self._family.chain_at(origin.resumed_stream, origin.resumed_version)
        )
        with connection.transaction():
            if origin is not None:
                self._hold_origin(connection, origin, chain)
            for batch in self._batches():
                self._write(connection, batch, chain)
            end = (
                note.stream,
                note.last,
                bytes.fromhex(note.chain),
                Jsonb(base) if base is not None else None,
            )
            connection.execute(query("finish_import"), end)
        return True

    def _hold_origin(self, connection: psycopg.Connection, origin: Seam, chain: bytes | None) -> None:
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
        state = self._core.reader.state(root.stream, root.last)
        return base_rows(state, self._core.reader.lineage(root.stream, root.last))

    def _batches(self) -> Iterator[_Batch]:
        """The stream's lines once more, as they were verified: a file that was changed since is refused."""
        events: list[EventLine] = []
        contents: list[ContentLine] = []
        appends: list[AppendLine] = []
        size = 0
        hashed = hashlib.sha256()
        self.reached = self._stream.place
        for data in self._family.file.lines_from(self._stream.place):
            hashed.update(data)
            self._lines += 1
            self.reached += len(data)
            line = decode(data)
            if isinstance(line, EventLine):
                if len(events) >= EVENTS_A_BATCH or size >= BYTES_A_BATCH:
                    yield _Batch(events, contents, appends, size)
                    events, contents, appends, size = [], [], [], 0
                events.append(line)
                self._counts[line.type] = self._counts.get(line.type, 0) + 1
            elif isinstance(line, ContentLine):
                contents.append(line)
            elif isinstance(line, AppendLine):
                appends.append(line)
            elif isinstance(line, EndLine):
                break
            size += len(data)
        if hashed.hexdigest() != self._sha256:
            raise VerificationFailed("the file was changed while it was imported.")
        yield _Batch(events, contents, appends, size)

    def _write(self, connection: psycopg.Connection, batch: _Batch, origin_chain: bytes | None) -> None:
        stream = self._stream.id
        rows = [line.envelope(stream) for line in batch.events]
        connection.execute(
            query("import_events"),
            {
                "stream": stream,
                "kind": self._stream.note.kind,
                "first": rows[0].version,
                "origin_chain": origin_chain,
                "chain": bytes.fromhex(batch.events[-1].chain),
                "types": [row.type for row in rows],
                "schemas": [row.schema_version for row in rows],
                "recordeds": [row.recorded_at for row in rows],
                "occurreds": [row.occurred_at for row in rows],
                "epochs": [row.epoch for row in rows],
                "causes": [row.cause for row in rows],
                "actors": [row.actor for row in rows],
                "effectses": [row.effects for row in rows],
                "payloads": [row.payload for row in rows],
            },
            binary=True,
        )
        for group in _groups(batch.contents):
            self._write_contents(connection, group)
        if batch.appends:
            keys = (
                [line.append for line in batch.appends],
                [line.first for line in batch.appends],
                [line.last for line in batch.appends],
                [bytes.fromhex(line.fingerprint) for line in batch.appends],
            )
            connection.execute(query("import_appends"), (stream, *keys), binary=True)

    def _write_contents(self, connection: psycopg.Connection, lines: Sequence[ContentLine]) -> None:
        twins = [line.twin or (None, None) for line in lines]
        columns = (
            [line.content[0] for line in lines],
            [line.content[1] for line in lines],
            [line.media for line in lines],
            [bytes.fromhex(line.salt) for line in lines],
            [line.data() for line in lines],
            [twin[0] for twin in twins],
            [twin[1] for twin in twins],
        )
        connection.execute(query("import_contents"), (self._stream.id, *columns), binary=True)

    def _count_lines(self) -> None:
        for data in self._family.file.lines_from(self._stream.place):
            self._lines += 1
            self.reached += len(data)
            if data.startswith(b'{"end":'):
                return

    def _answer(self, *, already_there: int) -> Imported:
        (summary,) = read_sessions(self._core, id=self._stream.id, limit=1)
        return Imported(
            session=self._stream.id,
            title=summary.title,
            lines=self._lines,
            messages=self._counts.get(MessageAdded.type, 0),
            exchanges=self._counts.get(ToolCalled.type, 0),
            compactions=self._counts.get(ItemsCompacted.type, 0),
            kept_as_they_are=0,
            already_there=already_there,
        )


def _groups(lines: Sequence[ContentLine]) -> Iterator[Sequence[ContentLine]]:
    """Contents few enough to be sent at once. One event may have many large ones."""
    group: list[ContentLine] = []
    size = 0
    for line in lines:
        length = len(line.text or line.base64 or "")
        if group and size + length > BYTES_A_BATCH:
            yield group
            group, size = [], 0
        group.append(line)
        size += length
    if group:
        yield group
