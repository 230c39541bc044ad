"""The records of one stream in the order of an export: each event, then its contents, then the idempotency keys of the
appends that end with it. Few bytes are held at a time, however large an event's contents are."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.batching import in_batches
from backstory.application.integrity.evidence import GROUP_BYTES
from backstory.application.runtime import Runtime
from backstory.domain.log.chain import Envelope
from backstory.domain.records import Place
from backstory.infrastructure.postgres.queries import query

EVENTS_A_BATCH = 500
KEYS_A_BATCH = 1000


class EventRecord(NamedTuple):
    """An event, and the chain that is stored with it."""

    envelope: Envelope
    chain: bytes


class ContentRecord(NamedTuple):
    """A content, with its bytes or the place of the content that has them."""

    version: int
    part: int
    media_type: str | None
    salt: bytes
    data: bytes | None
    same_as: Place | None


class AppendRecord(NamedTuple):
    """An idempotency key."""

    key: str
    first: int
    last: int
    fingerprint: bytes
    proof: bytes


Record = EventRecord | ContentRecord | AppendRecord


class StreamRecords:
    """A stream's own records between two versions."""

    def __init__(self, runtime: Runtime, stream: UUID, first: int, last: int) -> None:
        self._runtime = runtime
        self._stream = stream
        self._first = first
        self._last = last

    def batches(self) -> Iterator[list[Record]]:
        """All records, in batches bounded by events and bytes."""
        keys = self._keys()
        pending = next(keys, None)
        batch: list[Record] = []
        held = 0
        after = self._first - 1
        while rows := self._read(query("events_to_export"), self._stream, after, self._last, EVENTS_A_BATCH):
            contents = self._contents(rows[0][1], rows[-1][1])
            content = next(contents, None)
            for row in rows:
                version = row[1]
                batch.append(EventRecord(Envelope._make(row[:-1]), row[-1]))
                while content is not None and content.version <= version:
                    size = len(content.data or b"")
                    if held + size > GROUP_BYTES:
                        yield batch
                        batch, held = [], 0
                    batch.append(content)
                    held += size
                    content = next(contents, None)
                while pending is not None and pending.last <= version:
                    batch.append(pending)
                    pending = next(keys, None)
            yield batch
            batch, held = [], 0
            after = rows[-1][1]

    def _contents(self, first: int, last: int) -> Iterator[ContentRecord]:
        rows = self._read(query("contents_to_export"), GROUP_BYTES, self._stream, first, last)
        # The bytes that came at once go as they are taken; then groups of places whose bytes are read together.
        rows.reverse()
        while rows and (rows[-1][6] is None or rows[-1][7] is not None):
            yield _content(rows.pop())
        for group in in_batches(reversed(rows), _size, GROUP_BYTES):
            places = [(row[0], row[1]) for row in group if row[6] is not None]
            versions, parts = [place[0] for place in places], [place[1] for place in places]
            data = {
                (version, part): bytes_
                for version, part, bytes_ in self._read(
                    query("content_bytes_at"), versions, parts, self._stream
                )
            }
            for row in group:
                yield _content((*row[:7], data.pop((row[0], row[1]), None)))

    def _keys(self) -> Iterator[AppendRecord]:
        """Idempotency keys, through a server-side cursor: there may be one for every event."""
        with (
            self._runtime.database.connection() as connection,
            connection.cursor(name=f"appends_{self._stream.hex}") as cursor,
        ):
            cursor.itersize = KEYS_A_BATCH
            cursor.execute(query("appends_in_order"), (self._stream,), binary=True)
            for row in cursor:
                yield AppendRecord._make(row)

    def _read(self, text: bytes, *parameters: Any) -> list[Any]:
        return self._runtime.database.read(lambda c: c.execute(text, parameters, binary=True).fetchall())


def _content(row: Any) -> ContentRecord:
    version, part, media_type, salt, shared_version, shared_part, _, data = row
    same_as = None if shared_version is None else (shared_version, shared_part)
    return ContentRecord(version, part, media_type, salt, None if same_as is not None else data, same_as)


def _size(row: Any) -> int:
    return row[6] or 0
