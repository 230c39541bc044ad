"""The streams of an export: the place of each event in the file, and the branches that connect the streams."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from backstory.application.transfer.files import ExportFile
from backstory.application.transfer.lines import ContentLine, EventLine, Header, StreamNote, decode_as
from backstory.domain.events import Event
from backstory.domain.log.lineage import BranchPoint, Lineage, lineage

_CONTENT = b'{"content":'


class EventWithContents(NamedTuple):
    """An event with its contents by part, without the erased ones."""

    event: Event
    contents: dict[int, bytes]


class ExportedStream:
    """One stream of the file."""

    def __init__(self, note: StreamNote) -> None:
        self.note = note
        self.branch_points = [BranchPoint._make(point) for point in note.branch_points]
        self.offset = 0
        """The offset of its first line."""
        self.event_offsets = array("Q")
        """The offset of each event's line. Eight bytes an event are all that is held in memory."""

    @property
    def id(self) -> UUID:
        return self.note.stream

    @property
    def origin(self) -> BranchPoint | None:
        """The branch point that a fork began at."""
        first = self.branch_points[0] if self.branch_points else None
        return first if first is not None and first.resumed_stream != self.id else None

    def offset_of(self, version: int) -> int:
        return self.event_offsets[version - self.note.first]


class ExportedStreams:
    """All streams of the file, in its order."""

    def __init__(self, file: ExportFile, header: Header) -> None:
        self.file = file
        self.header = header
        self.by_id = {note.stream: ExportedStream(note) for note in header.streams}
        self.projects: dict[UUID, str] = {}
        """The names of the projects whose memory was read, by stream."""

    def branch_points_of(self, stream: UUID) -> Sequence[BranchPoint]:
        return self.by_id[stream].branch_points

    def lineage(self, stream: UUID, version: int) -> Lineage:
        return lineage(stream, version, self.branch_points_of)

    def owner(self, stream: UUID, version: int) -> UUID:
        """The stream that holds a version of this one's log."""
        while version < self.by_id[stream].note.first:
            origin = self.by_id[stream].origin
            assert origin is not None
            stream = origin.resumed_stream
        return stream

    def chain_at(self, stream: UUID, version: int) -> bytes:
        """The chain at one of the stream's own versions."""
        return bytes.fromhex(self._event_line(stream, version).chain)

    def resumed_elsewhere(self) -> dict[UUID, set[int]]:
        """The versions of each stream that other streams branch from."""
        versions: dict[UUID, set[int]] = {stream: set() for stream in self.by_id}
        for stream in self.by_id.values():
            for point in stream.branch_points:
                if point.resumed_stream != stream.id:
                    versions[point.resumed_stream].add(point.resumed_version)
        return versions

    def event(self, stream: UUID, version: int) -> Event:
        """An event, without its contents."""
        return self._event_line(stream, version).envelope(stream).event()

    def event_with_contents(self, stream: UUID, version: int) -> EventWithContents:
        """An event with its contents, shared ones included."""
        lines = self.file.lines_from(self.by_id[stream].offset_of(version))
        event = decode_as(EventLine, next(lines)).envelope(stream).event()
        contents: dict[int, bytes] = {}
        for data in lines:
            if not data.startswith(_CONTENT):
                break
            line = decode_as(ContentLine, data)
            contents[line.content[1]] = self.bytes_of(stream, line)
        return EventWithContents(event, contents)

    def bytes_of(self, stream: UUID, line: ContentLine) -> bytes:
        """The bytes of a content, or of the content that it shares them with. ValueError if that one has none."""
        data = line.data()
        if data is not None:
            return data
        assert line.same_as is not None
        version, part = line.same_as
        lines = self.file.lines_from(self.by_id[stream].offset_of(version))
        next(lines)
        for raw in lines:
            if not raw.startswith(_CONTENT):
                break
            shared = decode_as(ContentLine, raw)
            if shared.content == (version, part) and shared.same_as is None:
                shared_data = shared.data()
                assert shared_data is not None
                return shared_data
        raise ValueError("shares the bytes of a content that is not there")

    def _event_line(self, stream: UUID, version: int) -> EventLine:
        return decode_as(EventLine, next(self.file.lines_from(self.by_id[stream].offset_of(version))))
