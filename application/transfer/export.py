"""Sessions to one file: their streams and those they began in, oldest first, in little memory however long they are."""

from collections.abc import Callable, Sequence
from itertools import chain as chained
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application import __version__
from backstory.application.bootstrap import make_runtime
from backstory.application.identifiers import session_id
from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.runtime import Runtime
from backstory.application.transfer.ahead import ahead
from backstory.application.transfer.files import ExportWriter, written
from backstory.application.transfer.lines import FORMAT, content_line, encode, event_line
from backstory.application.transfer.stream_records import AppendRecord, ContentRecord, StreamRecords
from backstory.application.transfer.streams import event_of
from backstory.domain.errors import InvalidInput, VerificationFailed
from backstory.domain.events import Event
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.chain import Envelope, next_chain
from backstory.domain.log.lineage import BranchPoint, first_own_version, lineage
from backstory.domain.log.references import PLAIN_TEXT
from backstory.domain.state import ContextState
from backstory.infrastructure.postgres.log import Head
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, at_one_moment

Progress = Callable[[int, int], None]
"""Called now and then with the events written so far and those there are."""

STATE_EVERY = 500
"""A state's digest is noted at least this often: a reader who disagrees learns where."""


class Exported(NamedTuple):
    """What an export wrote. `streams` are all that are in it, each with its newest version and the chain there."""

    file: Path
    sessions: tuple[UUID, ...]
    streams: tuple[tuple[UUID, int, str], ...]
    lines: int
    events: int
    contents: int
    bytes: int
    """Before they were compressed."""
    sha256: str
    """Of every line but the closing one, which says the same."""


def export(
    runtime: Runtime,
    sessions: Sequence[UUID | str],
    path: Path | str,
    *,
    zstd: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Exports sessions, as all of them are at one moment; see ContextStore.export."""
    wanted = tuple(dict.fromkeys(map(session_id, sessions)))
    if not wanted:
        raise InvalidInput("sessions", "must name at least one")
    place = _path(path)

    def attempt(moment: SnapshotRead) -> Exported:
        with written(place, zstd=zstd, overwrite=overwrite) as writer:
            return _Exporting(make_runtime(moment), wanted, place, writer, progress).run()

    return at_one_moment(runtime.database, attempt)


def _path(path: Path | str) -> Path:
    place = Path(path)
    if "\0" in str(place) or not place.name:
        raise InvalidInput("file", f"{str(place)!r} cannot be a path")
    return place


class _Own(NamedTuple):
    """A stream that is to be written."""

    head: Head
    seams: list[BranchPoint]

    @property
    def first(self) -> int:
        return first_own_version(self.seams, self.head.stream)


class _Exporting:
    """One writing of one file."""

    def __init__(
        self,
        runtime: Runtime,
        sessions: tuple[UUID, ...],
        path: Path,
        writer: ExportWriter,
        progress: Progress | None,
    ) -> None:
        self._runtime = runtime
        self._sessions = sessions
        self._path = path
        self._writer = writer
        self._progress = progress
        self._streams: dict[UUID, _Own] = {}
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._counts = {"events": 0, "contents": 0, "appends": 0, "states": 0}

    def run(self) -> Exported:
        for session in self._sessions:
            self._add(session)
        self._write_header()
        for own in self._streams.values():
            self._write_stream(own)
        sha256 = self._writer.sha256
        totals = {"lines": self._writer.lines + 1, "streams": len(self._streams), **self._counts}
        self._writer.write(encode("closing", totals, sha256=sha256))
        self._report()
        return Exported(
            file=self._path,
            sessions=self._sessions,
            streams=tuple(
                (stream, own.head.version, own.head.chain.hex()) for stream, own in self._streams.items()
            ),
            lines=self._writer.lines,
            events=self._counts["events"],
            contents=self._counts["contents"],
            bytes=self._writer.bytes,
            sha256=sha256,
        )

    def _add(self, stream: UUID) -> None:
        """A stream, after those that it began in. Those come whole: what a fork inherited may have been erased later
        on, and only the rest of its parent's log says so."""
        line: list[_Own] = []
        while stream not in self._streams:
            head = self._runtime.require_head(stream)
            line.append(_Own(head, self._runtime.log.seams(stream)))
            if line[-1].first == 1:
                break
            stream = line[-1].seams[0].resumed_stream
        for own in reversed(line):
            self._streams[own.head.stream] = own

    def _write_header(self) -> None:
        notes: list[dict[str, Any]] = []
        for stream, own in self._streams.items():
            seams = [list(seam) for seam in own.seams]
            note = {"stream": stream, "kind": own.head.kind, "first": own.first, "last": own.head.version}
            notes.append(note | {"chain": own.head.chain.hex()} | ({"seams": seams} if seams else {}))
        self._writer.write(
            encode(
                "backstory",
                "export",
                format=FORMAT,
                made_by=f"backstory {__version__}",
                fold=FOLD_VERSION,
                sessions=self._sessions,
                streams=notes,
            )
        )

    def _write_stream(self, own: _Own) -> None:
        stream = own.head.stream
        before = dict(self._counts)
        self._writer.write(encode("stream", stream))
        branch = lineage(stream, own.head.version, lambda one: self._streams[one].seams)
        replay = BranchReplay(stream, own.seams, branch, self._root, remembers=False)
        states = {own.head.version} | {seam.version for seam in own.seams}
        resumed = self._resumed_elsewhere(stream)
        chain = b"" if own.first == 1 else self._runtime.log.chain_at(*own.seams[0][1:]) or b""
        state_line: bytes | None = None
        records = StreamRecords(self._runtime, stream, own.first, own.head.version)
        with ahead(records.batches()) as batches:
            for record in chained.from_iterable(batches):
                if isinstance(record, ContentRecord):
                    self._write("contents", _content_line(record))
                    continue
                if isinstance(record, AppendRecord):
                    self._write("appends", _append_line(record))
                    continue
                if state_line is not None:
                    self._write("states", state_line)
                envelope = record.envelope
                version = envelope.version
                chain = next_chain(chain, envelope)
                if chain != record.chain:
                    raise VerificationFailed(
                        f"session {stream}: events, version {version}: does not match its chain."
                    )
                self._write("events", event_line(envelope, chain))
                event, state = _fold(replay, envelope)
                if version in resumed:
                    self._roots[stream, version] = state.encode()
                noted = version in states or version % STATE_EVERY == 0 or event.effects.marks is not None
                state_line = encode("state", version, digest=state.digest()) if noted else None
                if self._counts["events"] % STATE_EVERY == 0:
                    self._report()
        if state_line is not None:
            self._write("states", state_line)
        if chain != own.head.chain:
            raise VerificationFailed(f"session {stream}: streams.chain: differs from the newest event's.")
        counted = {name: count - before[name] for name, count in self._counts.items()}
        self._writer.write(encode("end", stream, **counted, chain=chain.hex()))

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _resumed_elsewhere(self, stream: UUID) -> set[int]:
        return {
            seam.resumed_version
            for other, own in self._streams.items()
            if other != stream
            for seam in own.seams
            if seam.resumed_stream == stream
        }

    def _write(self, kind: str, line: bytes) -> None:
        self._counts[kind] += 1
        self._writer.write(line)

    def _report(self) -> None:
        if self._progress is not None:
            total = sum(own.head.version - own.first + 1 for own in self._streams.values())
            self._progress(self._counts["events"], total)


def _fold(replay: BranchReplay, envelope: Envelope) -> tuple[Event, ContextState]:
    try:
        event = event_of(envelope)
        return event, replay.evolve(event)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        where = f"session {envelope.stream}: events, version {envelope.version}"
        raise VerificationFailed(f"{where}: cannot be folded: {error!r}.") from None


def _content_line(record: ContentRecord) -> bytes:
    media = None if record.media_type == PLAIN_TEXT else record.media_type
    return content_line(record.version, record.part, media, record.salt, record.data, record.twin)


def _append_line(record: AppendRecord) -> bytes:
    key, first, last, fingerprint, proof = record
    return encode("append", key, first=first, last=last, fingerprint=fingerprint.hex(), proof=proof.hex())
