"""The streams of an export: where each one's events stand in the file, and how they come from one another."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.transfer.files import ExportFile
from backstory.application.transfer.lines import ContentLine, EventLine, Header, StreamNote, decode_as
from backstory.domain.effects import Effects
from backstory.domain.events import Event, decode_body
from backstory.domain.log.chain import Envelope
from backstory.domain.log.lineage import BranchPoint, Lineage, lineage

_CONTENT = b'{"content":'


class Held(NamedTuple):
    """An event with its contents by part, as far as they are there."""

    event: Event
    contents: dict[int, bytes]


class Stream:
    """One stream of the file."""

    def __init__(self, note: StreamNote) -> None:
        self.note = note
        self.seams = note.seam_list()
        self.place = 0
        """Where its first line begins."""
        self.offsets = array("Q")
        """Where each event's line begins: eight bytes an event, which is all that is held of it."""

    @property
    def id(self) -> UUID:
        return self.note.stream

    @property
    def origin(self) -> BranchPoint | None:
        """Where a fork began."""
        first = self.seams[0] if self.seams else None
        return first if first is not None and first.resumed_stream != self.id else None

    def offset(self, version: int) -> int:
        return self.offsets[version - self.note.first]


class Family:
    """All streams of the file, in its order."""

    def __init__(self, file: ExportFile, header: Header) -> None:
        self.file = file
        self.header = header
        self.streams = {note.stream: Stream(note) for note in header.streams}

    def seams_of(self, stream: UUID) -> Sequence[BranchPoint]:
        return self.streams[stream].seams

    def lineage(self, stream: UUID, version: int) -> Lineage:
        return lineage(stream, version, self.seams_of)

    def owner(self, stream: UUID, version: int) -> UUID:
        """The stream that holds a version of this one's log."""
        while version < self.streams[stream].note.first:
            origin = self.streams[stream].origin
            assert origin is not None
            stream = origin.resumed_stream
        return stream

    def chain_at(self, stream: UUID, version: int) -> bytes:
        """The chain at a version of the stream's own."""
        line = decode_as(EventLine, next(self.file.lines_from(self.streams[stream].offset(version))))
        return bytes.fromhex(line.chain)

    def resumed_elsewhere(self) -> dict[UUID, set[int]]:
        """The versions of each stream that other streams go on from."""
        wanted: dict[UUID, set[int]] = {stream: set() for stream in self.streams}
        for stream in self.streams.values():
            for seam in stream.seams:
                if seam.resumed_stream != stream.id:
                    wanted[seam.resumed_stream].add(seam.resumed_version)
        return wanted

    def event_at(self, stream: UUID, place: int) -> Event:
        """The event of a stream whose line begins at a place."""
        return event_of(decode_as(EventLine, next(self.file.lines_from(place))).envelope(stream))

    def held(self, stream: UUID, version: int) -> Held:
        """An event with its contents, twins resolved."""
        found = self.streams[stream]
        lines = self.file.lines_from(found.offset(version))
        event = event_of(decode_as(EventLine, next(lines)).envelope(stream))
        contents: dict[int, bytes] = {}
        for data in lines:
            if not data.startswith(_CONTENT):
                break
            line = decode_as(ContentLine, data)
            contents[line.content[1]] = self.bytes_of(stream, line)
        return Held(event, contents)

    def bytes_of(self, stream: UUID, line: ContentLine) -> bytes:
        """A content's bytes, its own or its twin's. ValueError where the twin has none."""
        data = line.data()
        if data is not None:
            return data
        assert line.twin is not None
        version, part = line.twin
        lines = self.file.lines_from(self.streams[stream].offset(version))
        next(lines)
        for other in lines:
            if not other.startswith(_CONTENT):
                break
            twin = decode_as(ContentLine, other)
            if twin.content == (version, part) and twin.twin is None:
                found = twin.data()
                assert found is not None
                return found
        raise ValueError("points at a twin that is not there")


def event_of(envelope: Envelope) -> Event:
    """The event that these columns are. ValueError where its effects cannot be read."""
    return Event(
        stream=envelope.stream,
        version=envelope.version,
        type=envelope.type,
        schema_version=envelope.schema_version,
        recorded_at=envelope.recorded_at,
        occurred_at=envelope.occurred_at or envelope.recorded_at,
        actor=envelope.actor,
        cause=envelope.cause,
        epoch=envelope.epoch,
        body=decode_body(envelope.type, envelope.schema_version, envelope.payload),
        effects=Effects.decode(envelope.effects),
    )
