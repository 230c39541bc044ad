"""The export of sessions and of projects' memory to one file, with the streams they were forked from, in bounded
memory."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from pydantic_core import to_json

from backstory.application import __version__
from backstory.application.bootstrap import make_runtime
from backstory.application.contents.items import ItemReader
from backstory.application.identifiers import find_session
from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.integrity.findings import IntegrityError
from backstory.application.integrity.stream_log import StreamLog
from backstory.application.runtime import PROJECT, Runtime
from backstory.application.safety.stored import require_no_secrets
from backstory.application.transfer.checkpoint_document import checkpoint_document
from backstory.application.transfer.files import ExportWriter, written
from backstory.application.transfer.lines import FORMAT, CheckpointLine, content_line, encode, event_line
from backstory.application.transfer.stream_records import AppendRecord, ContentRecord, StreamRecords
from backstory.domain.errors import InvalidInput, NotFound, VerificationFailed
from backstory.domain.events import Event
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.chain import Envelope
from backstory.domain.log.lineage import BranchPoint, first_own_version, lineage
from backstory.domain.log.references import PLAIN_TEXT
from backstory.domain.state import ContextState
from backstory.domain.values import label, microseconds
from backstory.infrastructure.postgres.log import Head
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.snapshot_read import SnapshotRead, read_snapshot

Progress = Callable[[int, int], None]
"""Called now and then with the number of events written and their total."""

STATE_EVERY = 500
"""Events between two noted state digests, at most. They show a reader where its fold differs."""


class StreamEnd(NamedTuple):
    """A stream in the file: a session, or the memory of a project."""

    stream: UUID
    version: int
    """Its newest version."""
    chain: str
    """The chain there."""
    project: str | None = None
    """The project, if it is the memory of one."""


class Exported(NamedTuple):
    """The result of an export. `streams` are all in the file."""

    file: Path
    sessions: tuple[UUID, ...]
    """Those that the export was made for, and the memories of projects by their ids."""
    streams: tuple[StreamEnd, ...]
    lines: int
    events: int
    contents: int
    bytes: int
    """Uncompressed."""
    sha256: str
    """Of every line but the closing one, which holds it."""


def export(
    runtime: Runtime,
    sessions: Sequence[UUID | str] | None,
    path: Path | str,
    *,
    projects: Sequence[str] = (),
    zstd: bool = False,
    overwrite: bool = False,
    secrets: bool = False,
    checkpoint: int | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Exports sessions from one snapshot of the database; see ContextStore.export. With a `checkpoint` of the one
    session, the file begins with what that holds."""
    if not isinstance(secrets, bool):
        raise InvalidInput("secrets", f"must be true or false, got {secrets!r}")
    everything = sessions is None and not projects
    named = [find_session(runtime, session) for session in sessions or ()]
    names = [label("projects", name) for name in projects]
    if not (named or names or everything):
        raise InvalidInput("sessions", "must name at least one")
    target = Path(path)
    if "\0" in str(target) or not target.name:
        raise InvalidInput("file", f"{str(target)!r} cannot be a path")

    def attempt(moment: SnapshotRead) -> Exported:
        held = make_runtime(moment)
        found = _streams_of(held, runtime.projects, None if everything else names)
        ids = tuple(dict.fromkeys([*found, *named]))
        with written(target, zstd=zstd, overwrite=overwrite) as writer:
            return _Export(held, ids, target, writer, checkpoint, progress, secrets=secrets).run()

    return read_snapshot(runtime.database, attempt)


def _streams_of(held: Runtime, visible: Sequence[str] | None, projects: Sequence[str] | None) -> list[UUID]:
    """The memory and the sessions of these projects, or everything, as far as a caller may see it."""
    rows = held.database.read(
        lambda c: c.execute(query("streams_to_export"), {"projects": projects, "visible": visible}).fetchall()
    )
    missing = set(projects or ()) - {project for _, project in rows}
    if missing:
        raise NotFound(f"project {min(missing)!r} has no session and no memory.")
    if projects is None and not rows:
        raise NotFound("there is nothing to export.")
    return [stream for stream, _ in rows]


def read_checkpoint(runtime: Runtime, session: UUID, version: int) -> CheckpointLine:
    """A checkpoint of a session or of what it was forked from, with everything it holds."""
    owner = runtime.reader.owner(session, version)
    state = runtime.reader.state(owner, version)
    chain = runtime.log.chain_at(owner, version)
    assert chain is not None
    item_reader = ItemReader(runtime, owner, state, erasure=None)
    event = item_reader.reader.events([version])[version]
    return CheckpointLine(
        checkpoint=version,
        session=session,
        taken=microseconds(event.recorded_at),
        chain=chain.hex(),
        document=checkpoint_document(item_reader, event),
    )


class _Source(NamedTuple):
    """A stream to be written."""

    head: Head
    branch_points: list[BranchPoint]

    @property
    def first(self) -> int:
        return first_own_version(self.branch_points, self.head.stream)

    @property
    def end(self) -> StreamEnd:
        project = self.head.labels["project"] if self.head.kind == PROJECT else None
        return StreamEnd(self.head.stream, self.head.version, self.head.chain.hex(), project)


class _Export:
    """The writing of one file."""

    def __init__(
        self,
        runtime: Runtime,
        sessions: tuple[UUID, ...],
        path: Path,
        writer: ExportWriter,
        checkpoint: int | None,
        progress: Progress | None,
        *,
        secrets: bool,
    ) -> None:
        self._secrets = secrets
        self._runtime = runtime
        self._sessions = sessions
        self._path = path
        self._writer = writer
        self._checkpoint = checkpoint
        self._progress = progress
        self._streams: dict[UUID, _Source] = {}
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._counts = {"events": 0, "contents": 0, "appends": 0, "states": 0}

    def run(self) -> Exported:
        # A context shows memories: they are read before it is made again.
        kinds = {session: self._runtime.require_head(session).kind for session in self._sessions}
        for session in sorted(self._sessions, key=lambda session: kinds[session] != PROJECT):
            self._add(session)
        if not self._secrets:
            require_no_secrets(self._runtime, self._streams)
        self._write_header()
        if self._checkpoint is not None:
            line = read_checkpoint(self._runtime, self._sessions[0], self._checkpoint)
            self._writer.write(to_json(line) + b"\n")
        for source in self._streams.values():
            self._write_stream(source)
        sha256 = self._writer.sha256
        totals = {"lines": self._writer.lines + 1, "streams": len(self._streams), **self._counts}
        self._writer.write(encode("closing", totals, sha256=sha256))
        self._report()
        return Exported(
            file=self._path,
            sessions=self._sessions,
            streams=tuple(source.end for source in self._streams.values()),
            lines=self._writer.lines,
            events=self._counts["events"],
            contents=self._counts["contents"],
            bytes=self._writer.bytes,
            sha256=sha256,
        )

    def _add(self, stream: UUID) -> None:
        """Adds a stream, after those it was forked from. They are exported whole, because contents that a fork
        inherited may have been erased later, and only the rest of the parent's log says so."""
        ancestry: list[_Source] = []
        while stream not in self._streams:
            head = self._runtime.require_head(stream)
            ancestry.append(_Source(head, self._runtime.log.branch_points(stream)))
            if ancestry[-1].first == 1:
                break
            stream = ancestry[-1].branch_points[0].resumed_stream
        for source in reversed(ancestry):
            self._streams[source.head.stream] = source

    def _write_header(self) -> None:
        notes: list[dict[str, Any]] = []
        for stream, source in self._streams.items():
            points = [list(point) for point in source.branch_points]
            note = {
                "stream": stream,
                "kind": source.head.kind,
                "first": source.first,
                "last": source.head.version,
            }
            notes.append(
                note | {"chain": source.head.chain.hex()} | ({"branch_points": points} if points else {})
            )
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

    def _write_stream(self, source: _Source) -> None:
        stream = source.head.stream
        self._check_log(stream)
        before = dict(self._counts)
        self._writer.write(encode("stream", stream))
        branch = lineage(stream, source.head.version, lambda id: self._streams[id].branch_points)
        replay = BranchReplay(stream, source.branch_points, branch, self._root, keeps_gone=False)
        states = {source.head.version} | {point.version for point in source.branch_points}
        resumed = self._resumed_elsewhere(stream)
        chain = b""
        state_line: bytes | None = None
        records = StreamRecords(self._runtime, stream, source.first, source.head.version)
        for batch in records.batches():
            for record in batch:
                if isinstance(record, ContentRecord):
                    self._write("contents", _content_line(record))
                    continue
                if isinstance(record, AppendRecord):
                    self._write("appends", _append_line(record))
                    continue
                if state_line is not None:
                    self._write("states", state_line)
                envelope, chain = record
                version = envelope.version
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
        if chain != source.head.chain:
            raise VerificationFailed(f"session {stream}: streams.chain: differs from the newest event's.")
        counted = {name: count - before[name] for name, count in self._counts.items()}
        self._writer.write(encode("end", stream, **counted, chain=chain.hex()))

    def _check_log(self, stream: UUID) -> None:
        """Raises VerificationFailed if an event does not match its chain or a content its event: an export repeats
        nothing that the log does not prove."""
        log = StreamLog(self._runtime, stream)
        try:
            for _ in log.rows():
                pass
            log.require_erased()
        except IntegrityError as error:
            raise VerificationFailed(
                f"session {stream}: {error.finding.where}: {error.finding.what}."
            ) from None

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _resumed_elsewhere(self, stream: UUID) -> set[int]:
        return {
            point.resumed_version
            for other, source in self._streams.items()
            if other != stream
            for point in source.branch_points
            if point.resumed_stream == stream
        }

    def _write(self, kind: str, line: bytes) -> None:
        self._counts[kind] += 1
        self._writer.write(line)

    def _report(self) -> None:
        if self._progress is not None:
            total = sum(source.head.version - source.first + 1 for source in self._streams.values())
            self._progress(self._counts["events"], total)


def _fold(replay: BranchReplay, envelope: Envelope) -> tuple[Event, ContextState]:
    try:
        event = envelope.event()
        return event, replay.evolve(event)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        where = f"session {envelope.stream}: events, version {envelope.version}"
        raise VerificationFailed(f"{where}: cannot be folded: {error!r}.") from None


def _content_line(record: ContentRecord) -> bytes:
    media = None if record.media_type == PLAIN_TEXT else record.media_type
    return content_line(record.version, record.part, media, record.salt, record.data, record.same_as)


def _append_line(record: AppendRecord) -> bytes:
    key, first, last, fingerprint, proof = record
    return encode("append", key, first=first, last=last, fingerprint=fingerprint.hex(), proof=proof.hex())
