"""The check of a whole export: the order of its lines, its totals and hash, and each stream."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from uuid import UUID

from backstory.application.integrity.findings import IntegrityError
from backstory.application.transfer.files import ExportFile, RawLine
from backstory.application.transfer.lines import (
    FORMAT,
    AppendLine,
    CheckpointLine,
    ClosingLine,
    ContentLine,
    EndLine,
    EventLine,
    Header,
    Line,
    StateLine,
    StreamLine,
    StreamNote,
    Totals,
    decode,
)
from backstory.application.transfer.replay_check import ReplayCheck
from backstory.application.transfer.stream_check import StreamCheck
from backstory.application.transfer.streams import ExportedStream, ExportedStreams

Reached = Callable[[int], None]
"""Called now and then with the number of bytes read so far."""
REPORT_EVERY = 1000
_OUTSIDE = (Header, ClosingLine)
"""Lines that belong to no stream, wherever they are."""


class FileCheck:
    """Reads a file from the first line to the last. Afterwards `streams` knows where each event is."""

    def __init__(self, file: ExportFile, *, contexts: bool = True, reached: Reached | None = None) -> None:
        self.file = file
        self._reached = reached
        self.streams: ExportedStreams | None = None
        self.replay: ReplayCheck | None = None
        self.lines = self.erased = 0
        self._counts: Counter[str] = Counter()
        self.checkpoint: CheckpointLine | None = None
        """What the file says of a checkpoint, if it is the file of one."""
        self.sha256 = ""
        self.stream_digests: dict[UUID, bytes] = {}
        """SHA-256 of each stream's lines, the first and the last included."""
        self._contexts = contexts
        self._hash = hashlib.sha256()
        self._stream_hash = hashlib.sha256()
        self._stream: StreamCheck | None = None
        self._left: list[UUID] = []
        self._closed = False

    @property
    def counts(self) -> Counter[str]:
        """The number of events, contents, appends and states read so far."""
        return self._counts if self._stream is None else self._counts + self._stream.counts

    def run(self) -> "FileCheck":
        for raw in self.file.lines():
            number, offset, data = raw
            if not data.endswith(b"\n"):
                raise IntegrityError("file", "is cut in the middle of a line", number)
            if self._closed:
                raise IntegrityError("file", "goes on after its closing line", number)
            try:
                line = decode(data)
            except ValueError as error:
                raise IntegrityError("line", str(error), number) from None
            self.lines = number
            if number % REPORT_EVERY == 0 and self._reached is not None:
                self._reached(offset)
            check = self._stream
            if check is None or type(line) in _OUTSIDE:
                self._read_outside(raw, line)
                continue
            self._hash.update(data)
            self._stream_hash.update(data)
            try:
                self._read(check, offset, line)
            except IntegrityError as error:
                where, what, _ = error.finding
                raise IntegrityError(f"{where} of {check.stream.id}", what, number) from None
        if not self._closed:
            raise IntegrityError("file", "is cut: its closing line is missing", self.lines + 1)
        assert self.replay is not None
        self.replay.finish()
        return self

    def _read(self, check: StreamCheck, offset: int, line: Line) -> None:
        """Reads a line of a stream."""
        # Not `isinstance`, which asks pydantic whenever the answer is no.
        if type(line) is EventLine:
            check.event(offset, line)
        elif type(line) is ContentLine:
            check.content(line)
        elif type(line) is AppendLine:
            check.append(line)
        elif type(line) is StateLine:
            check.state(line)
        elif type(line) is EndLine:
            self.erased += check.end(line)
            self._counts += check.counts
            self.stream_digests[check.stream.id] = self._stream_hash.digest()
            self._stream = None
        else:
            raise IntegrityError("line", "is not one that a stream has")

    def _read_outside(self, raw: RawLine, line: Line) -> None:
        """Reads the header, the first line of a stream, or the closing line."""
        if isinstance(line, ClosingLine):
            self._close(raw, line)
            return
        self._hash.update(raw.data)
        if isinstance(line, Header):
            self._begin(raw, line)
            return
        if self.streams is None or self.replay is None:
            raise IntegrityError("header", "is missing", raw.number)
        if isinstance(line, CheckpointLine):
            self._read_checkpoint(raw, line, self.streams, self.replay)
            return
        if not isinstance(line, StreamLine):
            raise IntegrityError("line", "stands outside every stream", raw.number)
        if not self._left or self._left[0] != line.stream:
            raise IntegrityError(f"stream {line.stream}", "is not the one that comes next", raw.number)
        self._left.pop(0)
        stream = self.streams.by_id[line.stream]
        stream.offset = raw.offset
        self._stream_hash = hashlib.sha256(raw.data)
        self._stream = StreamCheck(self.streams, self.replay, stream)

    def _begin(self, raw: RawLine, header: Header) -> None:
        if raw.number != 1:
            raise IntegrityError("header", "comes a second time", raw.number)
        if header.format != FORMAT:
            raise IntegrityError("format", f"is {header.format}; this version of backstory reads {FORMAT}", 1)
        self._left = [note.stream for note in header.streams]
        earlier: dict[UUID, StreamNote] = {}
        for note in header.streams:
            _check_note(ExportedStream(note), earlier)
            earlier[note.stream] = note
        if len(earlier) != len(self._left) or not earlier.keys() >= set(header.sessions):
            raise IntegrityError("header", "names streams twice, or sessions that the file does not have", 1)
        self.streams = ExportedStreams(self.file, header)
        self.replay = ReplayCheck(self.streams, contexts=self._contexts)

    def _read_checkpoint(
        self, raw: RawLine, line: CheckpointLine, streams: ExportedStreams, replay: ReplayCheck
    ) -> None:
        where = f"checkpoint {line.checkpoint}"
        if raw.number != 2:
            raise IntegrityError(where, "does not stand after the header", raw.number)
        known = line.session in streams.header.sessions
        if not known or line.checkpoint > streams.by_id[line.session].note.last:
            raise IntegrityError(where, "is not in the file's record", raw.number)
        self.checkpoint = line
        replay.expect(line)

    def _close(self, raw: RawLine, line: ClosingLine) -> None:
        if self.streams is None or self._stream is not None or self._left:
            raise IntegrityError("closing", "comes before all streams have ended", raw.number)
        counted = {name: self.counts[name] for name in ("events", "contents", "appends", "states")}
        if line.closing != Totals(lines=self.lines, streams=len(self.streams.by_id), **counted):
            raise IntegrityError("closing", "counts other lines than the file has", raw.number)
        self.sha256 = self._hash.hexdigest()
        if line.sha256 != self.sha256:
            raise IntegrityError("sha256", "is not that of the lines before it", raw.number)
        if (noted := self.checkpoint) is not None:
            owner = self.streams.owner(noted.session, noted.checkpoint)
            if self.streams.chain_at(owner, noted.checkpoint).hex() != noted.chain:
                raise IntegrityError(
                    f"checkpoint {noted.checkpoint}", "has another chain than its event", raw.number
                )
        self._closed = True


def _check_note(stream: ExportedStream, earlier: Mapping[UUID, StreamNote]) -> None:
    """Checks that a stream's header is possible: no branch begins in its own future, or in a stream that does not
    precede it in the file."""
    note, origin = stream.note, stream.origin
    where = f"stream {note.stream}"
    if note.last < note.first or note.first != (1 if origin is None else origin.version):
        raise IntegrityError(where, "begins or ends where no stream can", 1)
    previous = 0
    for point in stream.branch_points:
        resumed = note if point.resumed_stream == note.stream else earlier.get(point.resumed_stream)
        if resumed is None:
            raise IntegrityError(where, f"goes on from {point.resumed_stream}, which is not before it", 1)
        if resumed is note:
            latest = point.version - 1
        else:
            latest = min(resumed.last, 0 if origin is None else origin.version - 1)
        possible = previous < point.version <= note.last and resumed.first <= point.resumed_version <= latest
        if not possible or (point == origin and point.resumed_version != point.version - 1):
            raise IntegrityError(where, f"has an impossible branch point at version {point.version}", 1)
        previous = point.version
