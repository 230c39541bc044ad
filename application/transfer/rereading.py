"""The lines of a stream once more, after the whole file was verified: as the calls that write them to a database."""

import base64
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

from pydantic_core import from_json

from backstory.application.contents.batching import in_batches
from backstory.application.transfer.file_check import Mark
from backstory.application.transfer.files import ExportFile
from backstory.application.transfer.streams import Stream
from backstory.domain.errors import VerificationFailed
from backstory.infrastructure.postgres.binary_arrays import byte_strings, integers, shorts, texts, times
from backstory.infrastructure.postgres.queries import query

EVENTS_A_BATCH = 500
BYTES_A_BATCH = 4 * 2**20

Line = dict[str, Any]


class Call(NamedTuple):
    """A statement with its parameters."""

    statement: bytes
    parameters: dict[str, Any] | tuple[Any, ...]


class Rereading:
    """One stream's lines. They were found to be sound, so that nothing but their bytes is looked at again: a file that
    was changed since has another hash at the end, and is refused before anything is kept."""

    def __init__(self, file: ExportFile, stream: Stream, mark: Mark) -> None:
        self._file = file
        self._stream = stream
        self._mark = mark
        self.lines = 0
        self.reached = stream.place
        self.types: Counter[str] = Counter()
        """How many events of each type there are."""

    def calls(self, origin_chain: bytes | None) -> Generator[Call]:
        """What writes the events, each batch with its contents and idempotency keys."""
        try:
            for events, contents, appends in self._batches():
                yield self._events_call(events, origin_chain)
                # One event may have many large ones.
                for group in in_batches(contents, _length, BYTES_A_BATCH):
                    yield self._contents_call(group)
                if appends:
                    yield self._appends_call(appends)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise VerificationFailed("the file was changed while it was imported.") from None

    def count(self) -> None:
        """Only counts the lines."""
        for _ in self._raw():
            pass

    def _raw(self) -> Iterator[bytes]:
        self.lines, self.reached = 0, self._stream.place
        self.types.clear()
        hashed = self._mark.before.copy()
        for data in self._file.lines_from(self._stream.place):
            hashed.update(data)
            self.lines += 1
            self.reached += len(data)
            yield data
            if data.startswith(b'{"end":'):
                break
        if hashed.digest() != self._mark.after:
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

    def _events_call(self, lines: list[Line], origin_chain: bytes | None) -> Call:
        parameters = {
            "stream": self._stream.id,
            "kind": self._stream.note.kind,
            "first": lines[0]["event"],
            "origin_chain": origin_chain,
            "chain": bytes.fromhex(lines[-1]["chain"]),
            "types": texts([line["type"] for line in lines]),
            "schemas": shorts([line["schema"] for line in lines]),
            "recordeds": times([line["recorded"] for line in lines]),
            "occurreds": times([line.get("occurred") for line in lines]),
            "epochs": integers([line["epoch"] for line in lines]),
            "causes": integers([line.get("cause") for line in lines]),
            "actors": texts([line.get("actor") for line in lines]),
            "effectses": texts([line.get("effects") for line in lines]),
            "payloads": byte_strings([_bytes_of(line, "payload", "payload_base64") for line in lines]),
        }
        return Call(query("import_events"), parameters)

    def _contents_call(self, lines: list[Line]) -> Call:
        twins = [line.get("twin") or (None, None) for line in lines]
        columns = (
            integers([line["content"][0] for line in lines]),
            shorts([line["content"][1] for line in lines]),
            texts([line.get("media") for line in lines]),
            byte_strings([bytes.fromhex(line["salt"]) for line in lines]),
            byte_strings([_bytes_of(line, "text", "base64") for line in lines]),
            integers([twin[0] for twin in twins]),
            shorts([twin[1] for twin in twins]),
        )
        return Call(query("import_contents"), (self._stream.id, *columns))

    def _appends_call(self, lines: list[Line]) -> Call:
        columns = (
            texts([line["append"] for line in lines]),
            integers([line["first"] for line in lines]),
            integers([line["last"] for line in lines]),
            byte_strings([bytes.fromhex(line["fingerprint"]) for line in lines]),
        )
        return Call(query("import_appends"), (self._stream.id, *columns))


def _bytes_of(line: Line, text: str, in_base64: str) -> bytes | None:
    found = line.get(text)
    if found is not None:
        return bytes(found, "utf-8")
    packed = line.get(in_base64)
    return None if packed is None else base64.b64decode(packed, validate=True)


def _length(content: Line) -> int:
    return len(content.get("text") or content.get("base64") or "")
