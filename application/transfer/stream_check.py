"""One stream of an export as it is read: its chain, versions, contents and idempotency keys as they were written, and
what its events come to."""

import hashlib
import json
import struct
from typing import Any

from pydantic_core import from_json

from backstory.application.transfer.flaws import Flaw, Wrong
from backstory.application.transfer.keys import Keys
from backstory.application.transfer.lines import (
    AppendLine,
    ContentLine,
    EndLine,
    EventLine,
    StateLine,
    decode_as,
)
from backstory.application.transfer.replay_check import Meaning
from backstory.application.transfer.streams import Family, Stream, event_of
from backstory.domain.events import ContentErased, Event
from backstory.domain.log.chain import Envelope, next_chain
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.log.references import PLAIN_TEXT, digest, references_in
from backstory.domain.records import Place

_APPEND, _END = b'{"append":', b'{"end":'


class StreamReading:
    """One stream's lines, one after the other."""

    def __init__(self, family: Family, meaning: Meaning, stream: Stream) -> None:
        self.stream = stream
        self._family = family
        self._meaning = meaning
        meaning.begin(stream)
        self._seams = list(reversed(stream.seams))
        self._chain = self._origin_chain()
        self._event: Envelope | None = None
        self._named: dict[int, dict[str, Any]] = {}
        self._part = -1
        self._key = (0, b"")
        self._keys = Keys()
        self._noted_state = 0
        self._missing: set[Place] = set()
        self._erased: set[Place] = set()
        self._counts = {"events": 0, "contents": 0, "appends": 0, "states": 0}

    def event(self, offset: int, line: EventLine) -> None:
        before = self._event
        self._finish_event()
        where = f"event {line.event}"
        expected = self.stream.note.first if before is None else before.version + 1
        if line.event != expected:
            raise Wrong(where, f"is not the next one, which is {expected}")
        try:
            envelope = line.envelope(self.stream.id)
        except ValueError as error:
            raise Wrong(where, str(error)) from None
        self._chain = next_chain(self._chain, envelope)
        if self._chain.hex() != line.chain:
            raise Wrong(where, "does not match its chain")
        if before is not None and envelope.recorded_at < before.recorded_at:
            raise Wrong(where, "was recorded before the one in front of it")
        self.stream.offsets.append(offset)
        self._event = envelope
        self._part = -1
        self._read_payload(where, envelope)
        try:
            event = event_of(envelope)
        except ValueError as error:
            raise Wrong(where, f"cannot be read: {error}") from None
        self._check_seam(where, event)
        self._meaning.take(event)
        self._counts["events"] += 1

    def content(self, line: ContentLine) -> None:
        version, part = line.content
        where = f"content {version}.{part}"
        if self._event is None or version != self._event.version or part <= self._part:
            raise Wrong(where, "does not stand after its event, in order")
        self._part = part
        reference = self._named.pop(part, None)
        if reference is None:
            raise Wrong(where, "is named by no event")
        if line.twin is not None and not (self.stream.note.first, 0) <= line.twin < line.content:
            raise Wrong(where, "points at a twin that is not before it")
        try:
            data = self._family.bytes_of(self.stream.id, line)
        except ValueError as error:
            raise Wrong(where, str(error)) from None
        media = line.media or PLAIN_TEXT
        named = (reference.get("media_type", PLAIN_TEXT), reference["sha256"])
        if (media, digest(bytes.fromhex(line.salt), media, data)) != named:
            raise Wrong(where, "does not match the digest in its event")
        self._counts["contents"] += 1

    def append(self, line: AppendLine) -> None:
        where = f"append {line.append!r}"
        if self._event is None or line.last != self._event.version or line.first > line.last:
            raise Wrong(where, "does not stand after its last event")
        key = line.append.encode()
        if (line.last, key) <= self._key:
            raise Wrong(where, "does not come after the key before it")
        self._key = (line.last, key)
        self._keys.add(line.append)
        sealed = self._chain + struct.pack(">i", line.first) + key + bytes.fromhex(line.fingerprint)
        if line.proof != hashlib.sha256(sealed).hexdigest():
            raise Wrong(where, "is not what its append wrote")
        self._counts["appends"] += 1

    def state(self, line: StateLine) -> None:
        if self._event is None or line.state != self._event.version:
            raise Wrong(f"state {line.state}", "does not stand after its event")
        if line.state == self._noted_state:
            raise Wrong(f"state {line.state}", "comes a second time")
        self._noted_state = line.state
        self._meaning.compare(line.state, line.digest)
        self._counts["states"] += 1

    def end(self, line: EndLine) -> int:
        """How many contents were erased."""
        self._finish_event()
        note = self.stream.note
        where = "end"
        if line.end != note.stream:
            raise Wrong(where, f"is that of {line.end}")
        if self._event is None or self._event.version != note.last or self._seams:
            raise Wrong(where, "comes before all events that the header tells of")
        if not self._chain.hex() == line.chain == note.chain:
            raise Wrong(where, "has another chain than the newest event")
        if line.model_dump(exclude={"end", "chain"}) != self._counts:
            raise Wrong(where, "counts other lines than the stream has")
        self._require_keys_once()
        for version, part in sorted(self._missing - self._erased):
            raise Wrong(f"content {version}.{part}", "is missing, and no event says that it was erased")
        for version, part in sorted(self._erased - self._missing):
            raise Wrong(f"content {version}.{part}", "is there although it was erased")
        return len(self._missing)

    def _origin_chain(self) -> bytes:
        origin = self.stream.origin
        if origin is None:
            return b""
        return self._family.chain_at(origin.resumed_stream, origin.resumed_version)

    def _check_seam(self, where: str, event: Event) -> None:
        """The header tells of the same seams as the events."""
        resumes = event.effects.resumes
        found = None if resumes is None else BranchPoint(event.version, resumes.stream, resumes.version)
        expected = self._seams[-1] if self._seams and self._seams[-1].version == event.version else None
        if found != expected:
            raise Wrong(where, "goes on from another version than the header says")
        if expected is not None:
            self._seams.pop()

    def _read_payload(self, where: str, envelope: Envelope) -> None:
        try:
            payload = _json(envelope.payload)
            self._named = {ref.get("part", 0): ref for ref in references_in(payload)}
            if envelope.type == ContentErased.type:
                self._erased |= {(version, part) for version, part in payload["erased"]}
        except (ValueError, LookupError, TypeError, RecursionError):
            raise Wrong(where, "has a payload that cannot be read") from None

    def _require_keys_once(self) -> None:
        """No key was used for two appends. Where the short hashes leave a doubt, the stream's keys are read again."""
        doubtful = self._keys.seen_twice()
        seen: set[str] = set()
        place = self.stream.place
        for data in self._family.file.lines_from(place) if doubtful else ():
            if data.startswith(_END):
                return
            if data.startswith(_APPEND):
                key = decode_as(AppendLine, data).append
                if key in seen:
                    line = self._family.file.line_number(place)
                    raise Flaw(
                        line, f"append {key!r} of {self.stream.id}", "was used for an append before it"
                    )
                if key in doubtful:
                    seen.add(key)
            place += len(data)

    def _finish_event(self) -> None:
        """What an event names and was not there is missing."""
        if self._event is not None and self._named:
            self._missing |= {(self._event.version, part) for part in self._named}
            self._named = {}


def _json(payload: bytes) -> Any:
    try:
        return from_json(payload)
    except ValueError:
        # Slower, and more lenient: half a surrogate pair, which some write, is one character to it.
        return json.loads(payload)
