"""The first reading of an export: every line in its place, the file whole, each stream's chain, versions, contents and
idempotency keys as they were written. What it leaves behind are the places of the events, for those who read on."""

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from backstory.domain.chain import Envelope, next_chain
from backstory.domain.effects import Effects
from backstory.domain.events import ContentErased, ContextAssembled, decode_body
from backstory.domain.lineage import Seam
from backstory.domain.records import Place
from backstory.domain.references import PLAIN_TEXT, digest, references_in
from backstory.transfer.family import Family, Stream
from backstory.transfer.files import ExportFile, RawLine
from backstory.transfer.lines import (
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


class Flaw(Exception):
    """Raised where an export is not what was written: on which line, at what, and what is wrong."""

    def __init__(self, line: int, where: str, what: str) -> None:
        super().__init__(line, where, what)
        self.line = line
        self.where = where
        self.what = what

    def __str__(self) -> str:
        return f"line {self.line}, {self.where}: {self.what}."


class Inspection:
    """One reading from the first line to the last."""

    def __init__(self, file: ExportFile) -> None:
        self.file = file
        self.family: Family | None = None
        self.lines = self.events = self.contents = self.erased = self.appends = self.states = 0
        self.sha256 = ""
        self.hashes: dict[UUID, str] = {}
        """By stream: SHA-256 of its lines, the first and the last included."""
        self._hash = hashlib.sha256()
        self._stream_hash = hashlib.sha256()
        self._stream: _StreamReading | None = None
        self._left: list[UUID] = []
        self._closed = False

    def run(self) -> "Inspection":
        for raw in self.file.lines():
            if not raw.data.endswith(b"\n"):
                raise Flaw(raw.number, "file", "is cut in the middle of a line")
            if self._closed:
                raise Flaw(raw.number, "file", "goes on after its closing line")
            try:
                line = decode(raw.data)
            except ValueError as error:
                raise Flaw(raw.number, "line", str(error)) from None
            if isinstance(line, ClosingLine):
                self.lines += 1
                self._close(raw, line)
                continue
            if isinstance(line, StreamLine):
                self._stream_hash = hashlib.sha256()
            self._hash.update(raw.data)
            self._stream_hash.update(raw.data)
            self.lines += 1
            self._take(raw, line)
        if not self._closed:
            raise Flaw(self.lines + 1, "file", "is cut: its closing line is missing")
        return self

    def _take(self, raw: RawLine, line: Line) -> None:
        if isinstance(line, Header):
            self._begin(raw, line)
            return
        if self.family is None:
            raise Flaw(raw.number, "header", "is missing")
        reading = self._stream
        if reading is None:
            if not isinstance(line, StreamLine):
                raise Flaw(raw.number, "line", "stands outside every stream")
            if not self._left or self._left[0] != line.stream:
                raise Flaw(raw.number, f"stream {line.stream}", "is not the one that comes next")
            self._left.pop(0)
            stream = self.family.streams[line.stream]
            stream.place = raw.offset
            self._stream = _StreamReading(self.family, stream)
            return
        try:
            self._read(reading, raw, line)
        except _Wrong as wrong:
            raise Flaw(raw.number, f"{wrong.where} of {reading.stream.id}", wrong.what) from None

    def _read(self, reading: "_StreamReading", raw: RawLine, line: Line) -> None:
        match line:
            case EventLine():
                reading.event(raw.offset, line)
                self.events += 1
            case ContentLine():
                reading.content(line)
                self.contents += 1
            case AppendLine():
                reading.append(line)
                self.appends += 1
            case StateLine():
                reading.state(line)
                self.states += 1
            case EndLine():
                self.erased += reading.end(line)
                self.hashes[reading.stream.id] = self._stream_hash.hexdigest()
                self._stream = None
            case _:
                raise _Wrong("line", "is not one that a stream has")

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


class _Wrong(Exception):
    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what


class _StreamReading:
    """One stream's lines, one after the other."""

    def __init__(self, family: Family, stream: Stream) -> None:
        self.stream = stream
        self._family = family
        self._seams = list(reversed(stream.seams))
        self._chain = self._origin_chain()
        self._event: Envelope | None = None
        self._named: dict[int, dict[str, Any]] = {}
        self._part = -1
        self._key = (0, b"")
        self._missing: set[Place] = set()
        self._erased: set[Place] = set()
        self._counts = {"events": 0, "contents": 0, "appends": 0, "states": 0}

    def event(self, offset: int, line: EventLine) -> None:
        self._finish_event()
        where = f"event {line.event}"
        note = self.stream.note
        expected = note.first if self._event is None else self._event.version + 1
        if line.event != expected:
            raise _Wrong(where, f"is not the next one, which is {expected}")
        try:
            envelope = line.envelope(note.stream)
        except ValueError as error:
            raise _Wrong(where, str(error)) from None
        self._chain = next_chain(self._chain, envelope)
        if self._chain.hex() != line.chain:
            raise _Wrong(where, "does not match its chain")
        if self._event is not None and envelope.recorded_at < self._event.recorded_at:
            raise _Wrong(where, "was recorded before the one in front of it")
        self._check_seam(where, envelope)
        self.stream.offsets.append(offset)
        self._event = envelope
        self._part = -1
        self._read_payload(where, envelope)
        self._counts["events"] += 1

    def content(self, line: ContentLine) -> None:
        version, part = line.content
        where = f"content {version}.{part}"
        if self._event is None or version != self._event.version or part <= self._part:
            raise _Wrong(where, "does not stand after its event, in order")
        self._part = part
        reference = self._named.pop(part, None)
        if reference is None:
            raise _Wrong(where, "is named by no event")
        if line.twin is not None and not (self.stream.note.first, 0) <= line.twin < line.content:
            raise _Wrong(where, "points at a twin that is not before it")
        try:
            data = self._family.bytes_of(self.stream.id, line)
        except ValueError as error:
            raise _Wrong(where, str(error)) from None
        media = line.media or PLAIN_TEXT
        named = (reference.get("media_type", PLAIN_TEXT), reference["sha256"])
        if (media, digest(bytes.fromhex(line.salt), media, data)) != named:
            raise _Wrong(where, "does not match the digest in its event")
        self._counts["contents"] += 1

    def append(self, line: AppendLine) -> None:
        where = f"append {line.append!r}"
        if self._event is None or line.last != self._event.version or line.first > line.last:
            raise _Wrong(where, "does not stand after its last event")
        if (line.last, line.append.encode()) <= self._key:
            raise _Wrong(where, "does not come after the key before it")
        self._key = (line.last, line.append.encode())
        sealed = (
            self._chain
            + struct.pack(">i", line.first)
            + line.append.encode()
            + bytes.fromhex(line.fingerprint)
        )
        if line.proof != hashlib.sha256(sealed).hexdigest():
            raise _Wrong(where, "is not what its append wrote")
        self._counts["appends"] += 1

    def state(self, line: StateLine) -> None:
        if self._event is None or line.state != self._event.version:
            raise _Wrong(f"state {line.state}", "does not stand after its event")
        if line.state in self.stream.states:
            raise _Wrong(f"state {line.state}", "comes a second time")
        self.stream.states[line.state] = line.digest
        self._counts["states"] += 1

    def end(self, line: EndLine) -> int:
        """How many contents were erased."""
        self._finish_event()
        note = self.stream.note
        where = "end"
        if line.end != note.stream:
            raise _Wrong(where, f"is that of {line.end}")
        if self._event is None or self._event.version != note.last or self._seams:
            raise _Wrong(where, "comes before all events that the header tells of")
        if not self._chain.hex() == line.chain == note.chain:
            raise _Wrong(where, "has another chain than the newest event")
        if line.model_dump(exclude={"end", "chain"}) != self._counts:
            raise _Wrong(where, "counts other lines than the stream has")
        for version, part in sorted(self._missing - self._erased):
            raise _Wrong(f"content {version}.{part}", "is missing, and no event says that it was erased")
        for version, part in sorted(self._erased - self._missing):
            raise _Wrong(f"content {version}.{part}", "is there although it was erased")
        return len(self._missing)

    def _origin_chain(self) -> bytes:
        origin = self.stream.origin
        if origin is None:
            return b""
        return self._family.chain_at(origin.resumed_stream, origin.resumed_version)

    def _check_seam(self, where: str, envelope: Envelope) -> None:
        """The header tells of the same seams as the events."""
        if envelope.effects is None or '"resumes"' not in envelope.effects:
            found = None
        else:
            try:
                resumes = Effects.decode(envelope.effects).resumes
            except ValueError:
                raise _Wrong(where, "has effects that cannot be read") from None
            found = None if resumes is None else Seam(envelope.version, resumes.stream, resumes.version)
        expected = self._seams[-1] if self._seams and self._seams[-1].version == envelope.version else None
        if found != expected:
            raise _Wrong(where, "goes on from another version than the header says")
        if expected is not None:
            self._seams.pop()

    def _read_payload(self, where: str, envelope: Envelope) -> None:
        try:
            payload = json.loads(envelope.payload)
            self._named = {ref.get("part", 0): ref for ref in references_in(payload)}
            if envelope.type == ContentErased.type:
                self._erased |= {(version, part) for version, part in payload["erased"]}
        except (ValueError, LookupError, TypeError, RecursionError):
            raise _Wrong(where, "has a payload that cannot be read") from None
        if envelope.type == ContextAssembled.type:
            body = decode_body(envelope.type, envelope.schema_version, envelope.payload)
            if isinstance(body, ContextAssembled):
                if body.at >= envelope.version:
                    raise _Wrong(where, "shows a state that was not there yet")
                owner = self._family.streams[self._family.owner(self.stream.id, body.at)]
                owner.contexts.setdefault(body.at, []).append((self.stream.id, envelope.version))

    def _finish_event(self) -> None:
        """What an event names and was not there is missing."""
        if self._event is not None:
            self._missing |= {(self._event.version, part) for part in self._named}
            self._named = {}
