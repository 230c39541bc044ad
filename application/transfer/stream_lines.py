"""The lines of an audited stream, as the statements that write them to a database."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic_core import from_json

from backstory.application.contents.batching import in_batches
from backstory.application.transfer.files import ExportFile
from backstory.application.transfer.streams import ExportedStream
from backstory.domain.errors import VerificationFailed
from backstory.domain.values import from_microseconds
from backstory.infrastructure.postgres.queries import query

EVENTS_A_BATCH = 500
BYTES_A_BATCH = 4 * 2**20

Line = dict[str, Any]

_ENVELOPE = ("type", "schema", "epoch", "cause", "actor", "caller", "effects")


class Statement(NamedTuple):
    """A statement with its parameters."""

    text: bytes
    parameters: dict[str, Any] | tuple[Any, ...]


class StreamLines:
    """The lines of one audited stream, as the statements that write them. They are not checked again: if the file was
    changed since the audit, the hash at the end differs, and the transaction is rolled back."""

    def __init__(self, file: ExportFile, stream: ExportedStream, digest: bytes) -> None:
        self._file = file
        self._stream = stream
        self._digest = digest
        self.lines = 0
        self.reached = stream.offset
        self.types: Counter[str] = Counter()
        """The number of events of each type."""

    def statements(self, origin_chain: bytes | None) -> Iterator[Statement]:
        """The statements for each batch of events, with their contents and idempotency keys."""
        try:
            for events, contents, appends in self._batches():
                yield self._insert_events(events, origin_chain)
                # One event may have many large contents.
                for group in in_batches(contents, _length, BYTES_A_BATCH):
                    yield self._insert_contents(group)
                if appends:
                    yield self._insert_appends(appends)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise VerificationFailed("the file was changed while it was imported.") from None

    def count(self) -> None:
        """Counts the lines."""
        for _ in self._raw():
            pass

    def _raw(self) -> Iterator[bytes]:
        self.lines, self.reached = 0, self._stream.offset
        self.types.clear()
        hashed = hashlib.sha256()
        for data in self._file.lines_from(self._stream.offset):
            hashed.update(data)
            self.lines += 1
            self.reached += len(data)
            yield data
            if data.startswith(b'{"end":'):
                break
        if hashed.digest() != self._digest:
            raise VerificationFailed("the file was changed while it was imported.")

    def _batches(self) -> Iterator[tuple[list[Line], list[Line], list[Line]]]:
        events: list[Line] = []
        contents: list[Line] = []
        appends: list[Line] = []
        size = 0
        for data in self._raw():
            if data.startswith(b'{"event":'):
                if len(events) >= EVENTS_A_BATCH or size >= BYTES_A_BATCH:
                    yield events, contents, appends
                    events, contents, appends, size = [], [], [], 0
                line = from_json(data)
                events.append(line)
                self.types[line["type"]] += 1
            elif data.startswith(b'{"content":'):
                contents.append(from_json(data))
            elif data.startswith(b'{"append":'):
                appends.append(from_json(data))
            size += len(data)
        yield events, contents, appends

    def _insert_events(self, lines: list[Line], origin_chain: bytes | None) -> Statement:
        parameters = {
            "stream": self._stream.id,
            "kind": self._stream.note.kind,
            "first": lines[0]["event"],
            "origin_chain": origin_chain,
            "chain": bytes.fromhex(lines[-1]["chain"]),
            "events": json.dumps([_envelope(line) for line in lines]),
            "payloads": [_bytes_of(line, "payload", "payload_base64") for line in lines],
        }
        return Statement(query("import_events"), parameters)

    def _insert_contents(self, lines: list[Line]) -> Statement:
        places = json.dumps([_place(line) for line in lines])
        contents = [_bytes_of(line, "text", "base64") for line in lines]
        return Statement(query("import_contents"), (self._stream.id, places, contents))

    def _insert_appends(self, lines: list[Line]) -> Statement:
        appends = [
            {"key": line["append"]} | {name: line[name] for name in ("first", "last", "fingerprint")}
            for line in lines
        ]
        return Statement(query("import_appends"), (self._stream.id, json.dumps(appends)))


def _envelope(line: Line) -> Line:
    """The envelope of an event as the import function reads it."""
    envelope = {name: line[name] for name in _ENVELOPE if name in line}
    for name in ("recorded", "occurred"):
        if line.get(name) is not None:
            envelope[name] = from_microseconds(line[name]).isoformat()
    return envelope


def _place(line: Line) -> Line:
    """The place of a content, with its salt and the content that it shares its bytes with."""
    version, part = line["content"]
    shared_version, shared_part = line.get("same_as") or (None, None)
    return {
        "version": version,
        "part": part,
        "media": line.get("media"),
        "salt": line["salt"],
        "shared_version": shared_version,
        "shared_part": shared_part,
    }


def _bytes_of(line: Line, text: str, in_base64: str) -> bytes | None:
    if (value := line.get(text)) is not None:
        return bytes(value, "utf-8")
    encoded = line.get(in_base64)
    return None if encoded is None else base64.b64decode(encoded, validate=True)


def _length(content: Line) -> int:
    return len(content.get("text") or content.get("base64") or "")
