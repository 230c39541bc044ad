"""The reading of an export: every line in its place, the file whole, and each stream's own check. What it leaves behind
are the places of the events, for those who read on."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.transfer.files import ExportFile, RawLine
from backstory.application.transfer.flaws import Flaw, Wrong
from backstory.application.transfer.lines import (
    FORMAT,
    AppendLine,
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
from backstory.application.transfer.replay_check import Meaning
from backstory.application.transfer.stream_check import StreamReading
from backstory.application.transfer.streams import Family, Stream

Reached = Callable[[int], None]
"""Called now and then with the bytes that were read so far."""
REPORT_EVERY = 1000
_OUTSIDE = (Header, ClosingLine)
"""What does not belong to any stream, wherever it stands."""


class Mark(NamedTuple):
    """The hash of the file before a stream's first line, and what it came to after the last one."""

    before: Any
    after: bytes


class Inspection:
    """One reading from the first line to the last."""

    def __init__(self, file: ExportFile, *, contexts: bool = True, reached: Reached | None = None) -> None:
        self.file = file
        self._reached = reached
        self.family: Family | None = None
        self.meaning: Meaning | None = None
        self.lines = self.events = self.contents = self.erased = self.appends = self.states = 0
        self.sha256 = ""
        self.digest = b""
        """Of all that was read, the closing line included."""
        self.marks: dict[UUID, Mark] = {}
        """By stream: what tells whether its lines, the first and the last included, are still those."""
        self._contexts = contexts
        self._hash = hashlib.sha256()
        self._before = self._hash
        self._stream: StreamReading | None = None
        self._left: list[UUID] = []
        self._closed = False

    def run(self) -> "Inspection":
        for raw in self.file.lines():
            number, offset, data = raw
            if not data.endswith(b"\n"):
                raise Flaw(number, "file", "is cut in the middle of a line")
            if self._closed:
                raise Flaw(number, "file", "goes on after its closing line")
            try:
                line = decode(data)
            except ValueError as error:
                raise Flaw(number, "line", str(error)) from None
            self.lines = number
            if number % REPORT_EVERY == 0 and self._reached is not None:
                self._reached(offset)
            reading = self._stream
            if reading is None or type(line) in _OUTSIDE:
                self._read_outside(raw, line)
                continue
            self._hash.update(data)
            try:
                self._read(reading, offset, line)
            except Wrong as wrong:
                raise Flaw(number, f"{wrong.where} of {reading.stream.id}", wrong.what) from None
        if not self._closed:
            raise Flaw(self.lines + 1, "file", "is cut: its closing line is missing")
        assert self.meaning is not None
        self.meaning.finish()
        return self

    def _read(self, reading: StreamReading, offset: int, line: Line) -> None:
        """A line of a stream."""
        # Not `isinstance`, which asks pydantic whenever the answer is no.
        if type(line) is EventLine:
            reading.event(offset, line)
            self.events += 1
        elif type(line) is ContentLine:
            reading.content(line)
            self.contents += 1
        elif type(line) is AppendLine:
            reading.append(line)
            self.appends += 1
        elif type(line) is StateLine:
            reading.state(line)
            self.states += 1
        elif type(line) is EndLine:
            self.erased += reading.end(line)
            self.marks[reading.stream.id] = Mark(self._before, self._hash.digest())
            self._stream = None
        else:
            raise Wrong("line", "is not one that a stream has")

    def _read_outside(self, raw: RawLine, line: Line) -> None:
        """The header, the first line of a stream, or the closing one."""
        if isinstance(line, ClosingLine):
            self._close(raw, line)
            return
        before = self._hash.copy()
        self._hash.update(raw.data)
        if isinstance(line, Header):
            self._begin(raw, line)
            return
        if self.family is None or self.meaning is None:
            raise Flaw(raw.number, "header", "is missing")
        if not isinstance(line, StreamLine):
            raise Flaw(raw.number, "line", "stands outside every stream")
        if not self._left or self._left[0] != line.stream:
            raise Flaw(raw.number, f"stream {line.stream}", "is not the one that comes next")
        self._left.pop(0)
        stream = self.family.streams[line.stream]
        stream.place = raw.offset
        self._before = before
        self._stream = StreamReading(self.family, self.meaning, stream)

    def _begin(self, raw: RawLine, header: Header) -> None:
        if raw.number != 1:
            raise Flaw(raw.number, "header", "comes a second time")
        if header.format != FORMAT:
            raise Flaw(1, "format", f"is {header.format}; this version of backstory reads {FORMAT}")
        self._left = [note.stream for note in header.streams]
        known: dict[UUID, StreamNote] = {}
        for note in header.streams:
            _check_note(Stream(note), known)
            known[note.stream] = note
        if len(known) != len(self._left) or not known.keys() >= set(header.sessions):
            raise Flaw(1, "header", "names streams twice, or sessions that the file does not have")
        self.family = Family(self.file, header)
        self.meaning = Meaning(self.family, contexts=self._contexts)

    def _close(self, raw: RawLine, line: ClosingLine) -> None:
        if self.family is None or self._stream is not None or self._left:
            raise Flaw(raw.number, "closing", "comes before all streams have ended")
        found = Totals(
            lines=self.lines,
            streams=len(self.family.streams),
            events=self.events,
            contents=self.contents,
            appends=self.appends,
            states=self.states,
        )
        if line.closing != found:
            raise Flaw(raw.number, "closing", "counts other lines than the file has")
        self.sha256 = self._hash.hexdigest()
        if line.sha256 != self.sha256:
            raise Flaw(raw.number, "sha256", "is not that of the lines before it")
        self._hash.update(raw.data)
        self.digest = self._hash.digest()
        self._closed = True


def _check_note(stream: Stream, before: Mapping[UUID, StreamNote]) -> None:
    """What the header says of a stream must be possible: no branch begins in its own future, or in a stream that the
    file does not have before it."""
    note, origin = stream.note, stream.origin
    where = f"stream {note.stream}"
    if note.last < note.first or note.first != (1 if origin is None else origin.version):
        raise Flaw(1, where, "begins or ends where no stream can")
    previous = 0
    for seam in stream.seams:
        resumed = note if seam.resumed_stream == note.stream else before.get(seam.resumed_stream)
        if resumed is None:
            raise Flaw(1, where, f"goes on from {seam.resumed_stream}, which is not before it")
        if resumed is note:
            latest = seam.version - 1
        else:
            latest = min(resumed.last, 0 if origin is None else origin.version - 1)
        possible = previous < seam.version <= note.last and resumed.first <= seam.resumed_version <= latest
        if not possible or (seam == origin and seam.resumed_version != seam.version - 1):
            raise Flaw(1, where, f"has an impossible seam at version {seam.version}")
        previous = seam.version
