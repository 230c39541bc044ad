"""The check of one stream in an export: its chain, versions, contents and idempotency keys."""

import hashlib
import json
import struct
from collections import Counter
from typing import Any

from pydantic_core import from_json

from backstory.application.integrity.findings import IntegrityError
from backstory.application.transfer.lines import AppendLine, ContentLine, EndLine, EventLine, StateLine
from backstory.application.transfer.replay_check import ReplayCheck
from backstory.application.transfer.streams import ExportedStream, ExportedStreams
from backstory.domain.commands.memory import project_id
from backstory.domain.events import ContentsErased, Event, ProjectStarted
from backstory.domain.log.chain import Envelope, next_chain
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.log.references import PLAIN_TEXT, digest, references_in
from backstory.domain.records import Place


class StreamCheck:
    """Takes the lines of one stream, one after the other. Raises IntegrityError, without the line's number."""

    def __init__(self, streams: ExportedStreams, replay: ReplayCheck, stream: ExportedStream) -> None:
        self.stream = stream
        self.counts: Counter[str] = Counter()
        self._streams = streams
        self._replay = replay
        replay.begin(stream)
        self._branch_points = list(reversed(stream.branch_points))
        self._chain = self._origin_chain()
        self._event: Envelope | None = None
        self._references: dict[int, dict[str, Any]] = {}
        self._part = -1
        self._key = (0, b"")
        self._keys: set[bytes] = set()
        self._noted_state = 0
        self._missing: set[Place] = set()
        self._erased: set[Place] = set()

    def event(self, offset: int, line: EventLine) -> None:
        before = self._event
        self._finish_event()
        where = f"event {line.event}"
        expected = self.stream.note.first if before is None else before.version + 1
        if line.event != expected:
            raise IntegrityError(where, f"is not the next one, which is {expected}")
        try:
            envelope = line.envelope(self.stream.id)
        except ValueError as error:
            raise IntegrityError(where, str(error)) from None
        self._chain = next_chain(self._chain, envelope)
        if self._chain.hex() != line.chain:
            raise IntegrityError(where, "does not match its chain")
        if before is not None and envelope.recorded_at < before.recorded_at:
            raise IntegrityError(where, "was recorded before the one in front of it")
        self.stream.event_offsets.append(offset)
        self._event = envelope
        self._part = -1
        self._read_payload(where, envelope)
        try:
            event = envelope.event()
        except ValueError as error:
            raise IntegrityError(where, f"cannot be read: {error}") from None
        self._check_branch_point(where, event)
        if before is None:
            self._check_kind(where, event)
        self._replay.take(event)
        self.counts["events"] += 1

    def content(self, line: ContentLine) -> None:
        version, part = line.content
        where = f"content {version}.{part}"
        if self._event is None or version != self._event.version or part <= self._part:
            raise IntegrityError(where, "does not stand after its event, in order")
        self._part = part
        reference = self._references.pop(part, None)
        if reference is None:
            raise IntegrityError(where, "is named by no event")
        if line.same_as is not None and not (self.stream.note.first, 0) <= line.same_as < line.content:
            raise IntegrityError(where, "shares the bytes of a content that is not before it")
        try:
            data = self._streams.bytes_of(self.stream.id, line)
        except ValueError as error:
            raise IntegrityError(where, str(error)) from None
        media = line.media or PLAIN_TEXT
        named = (reference.get("media_type", PLAIN_TEXT), reference["sha256"])
        if (media, digest(bytes.fromhex(line.salt), media, data)) != named:
            raise IntegrityError(where, "does not match the digest in its event")
        self.counts["contents"] += 1

    def append(self, line: AppendLine) -> None:
        where = f"append {line.append!r}"
        if self._event is None or line.last != self._event.version or line.first > line.last:
            raise IntegrityError(where, "does not stand after its last event")
        key = line.append.encode()
        if (line.last, key) <= self._key:
            raise IntegrityError(where, "does not come after the key before it")
        self._key = (line.last, key)
        # A hash, since a key may be long and a stream may have one for every event.
        hashed = hashlib.blake2b(key, digest_size=16).digest()
        if hashed in self._keys:
            raise IntegrityError(where, "was used for an append before it")
        self._keys.add(hashed)
        sealed = self._chain + struct.pack(">i", line.first) + key + bytes.fromhex(line.fingerprint)
        if line.proof != hashlib.sha256(sealed).hexdigest():
            raise IntegrityError(where, "is not what its append wrote")
        self.counts["appends"] += 1

    def state(self, line: StateLine) -> None:
        if self._event is None or line.state != self._event.version:
            raise IntegrityError(f"state {line.state}", "does not stand after its event")
        if line.state == self._noted_state:
            raise IntegrityError(f"state {line.state}", "comes a second time")
        self._noted_state = line.state
        self._replay.compare(line.state, line.digest)
        self.counts["states"] += 1

    def end(self, line: EndLine) -> int:
        """Finishes the stream. Returns the number of erased contents."""
        self._finish_event()
        note = self.stream.note
        where = "end"
        if line.end != note.stream:
            raise IntegrityError(where, f"is that of {line.end}")
        if self._event is None or self._event.version != note.last or self._branch_points:
            raise IntegrityError(where, "comes before all events that the header tells of")
        if not self._chain.hex() == line.chain == note.chain:
            raise IntegrityError(where, "has another chain than the newest event")
        counted = line.model_dump(exclude={"end", "chain"})
        if counted != {name: self.counts[name] for name in counted}:
            raise IntegrityError(where, "counts other lines than the stream has")
        for version, part in sorted(self._missing - self._erased):
            raise IntegrityError(
                f"content {version}.{part}", "is missing, and no event says that it was erased"
            )
        for version, part in sorted(self._erased - self._missing):
            raise IntegrityError(f"content {version}.{part}", "is there although it was erased")
        return len(self._missing)

    def _origin_chain(self) -> bytes:
        origin = self.stream.origin
        if origin is None:
            return b""
        return self._streams.chain_at(origin.resumed_stream, origin.resumed_version)

    def _check_kind(self, where: str, event: Event) -> None:
        """Checks that a stream is what the header says: a session, or the memory of the project that has its id."""
        name = event.body.name if isinstance(event.body, ProjectStarted) else None
        if self.stream.note.kind != ("session" if name is None else "project"):
            raise IntegrityError(where, f"does not begin a stream of the kind {self.stream.note.kind!r}")
        if name is not None:
            if project_id(name) != self.stream.id:
                raise IntegrityError(where, "begins the memory of a project that has another id")
            self._streams.projects[self.stream.id] = name

    def _check_branch_point(self, where: str, event: Event) -> None:
        """Checks that the header has the same branch points as the events."""
        resumes = event.effects.resumes
        point = None if resumes is None else BranchPoint(event.version, resumes.stream, resumes.version)
        left = self._branch_points
        expected = left[-1] if left and left[-1].version == event.version else None
        if point != expected:
            raise IntegrityError(where, "goes on from another version than the header says")
        if expected is not None:
            left.pop()

    def _read_payload(self, where: str, envelope: Envelope) -> None:
        try:
            payload = _json(envelope.payload)
            self._references = {ref.get("part", 0): ref for ref in references_in(payload)}
            if envelope.type == ContentsErased.type:
                self._erased |= {(version, part) for version, part in payload["erased"]}
        except (ValueError, LookupError, TypeError, RecursionError):
            raise IntegrityError(where, "has a payload that cannot be read") from None

    def _finish_event(self) -> None:
        """Counts the contents that the event names and the file does not have as missing."""
        if self._event is not None and self._references:
            self._missing |= {(self._event.version, part) for part in self._references}
            self._references = {}


def _json(payload: bytes) -> Any:
    try:
        return from_json(payload)
    except ValueError:
        # Slower, and more lenient: half a surrogate pair, which some write, is one character to it.
        return json.loads(payload)
