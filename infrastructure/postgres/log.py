"""Reads of the event log in Postgres and of its contents. Contents are read in one place, which compares each with the
digest in its event, so that no caller gets bytes that the log does not prove."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.errors import VerificationFailed
from backstory.domain.events import ContentsErased
from backstory.domain.log.lineage import BranchPoint
from backstory.domain.log.references import PLAIN_TEXT, digest, references_in
from backstory.domain.records import Place
from backstory.domain.values import microseconds
from backstory.infrastructure.eventsourcing_library.mapper import StoredRow
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.queries import query
from backstory.projections.base_rows import item_counts

BATCH = 1000


class Head(NamedTuple):
    stream: UUID
    kind: str
    version: int
    epoch: int
    chain: bytes
    started_at: datetime
    recorded_at: datetime
    summary: dict[str, Any]

    @property
    def labels(self) -> dict[str, Any]:
        return dict(self.summary["labels"])

    @property
    def counts(self) -> dict[str, int]:
        """The number of items of each type."""
        return item_counts(self.summary)


class End(NamedTuple):
    """The newest version of a log, and its recorded time in microseconds since 1970."""

    version: int
    recorded: int


class Tombstone(NamedTuple):
    """The rest of a purged stream: its length, its final chain and the time of the purge."""

    version: int
    chain: bytes
    purged_at: datetime


class StoredContent(NamedTuple):
    """A content as it is stored, shared bytes resolved."""

    media_type: str
    salt: bytes
    data: bytes | None

    @property
    def sha256(self) -> str | None:
        """The digest of the stored bytes; None if the content that has them is not there."""
        return None if self.data is None else digest(self.salt, self.media_type, self.data)


_LAST = 2**31 - 1


class EventLog:
    """Reads of the log and its contents."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def head(self, stream: UUID) -> Head | None:
        row = self._row(query("head"), stream)
        return Head._make(row) if row else None

    def end(self, stream: UUID) -> End | None:
        """The last event of the stream's own log; None if there is no such stream."""
        row = self._row(query("end_of_log"), stream)
        return End(row[0], microseconds(row[1])) if row else None

    def tombstone(self, stream: UUID) -> Tombstone | None:
        row = self._row(query("tombstone"), stream)
        return Tombstone._make(row) if row else None

    def rows(
        self, stream: UUID, after: int = 0, upto: int = _LAST, *, desc: bool = False, limit: int | None = None
    ) -> list[StoredRow]:
        """Stored events of one stream, its own only, with versions above `after` and up to `upto`."""
        if desc:
            rows = self._rows(query("last_events"), stream, after, upto, limit)
        elif limit is not None:
            rows = self._rows(query("first_events"), stream, after, upto, limit)
        else:
            rows = self._rows(query("events"), stream, after, upto)
        return [StoredRow.of(row) for row in rows]

    def rows_at(self, stream: UUID, versions: Sequence[int]) -> list[StoredRow]:
        """The stored events of these versions, the stream's own only."""
        return [StoredRow.of(row) for row in self._rows(query("events_at"), stream, list(versions))]

    def rows_with_contents(
        self, stream: UUID, versions: Sequence[int]
    ) -> list[tuple[StoredRow, dict[int, bytes]]]:
        """The stored events of these versions, the stream's own only, with their contents by part. An erased one is
        not there. Raises VerificationFailed if a content differs from the digest in its event, or is missing and no
        event erased it."""
        stored: dict[int, tuple[StoredRow, dict[int, StoredContent]]] = {}
        for row in self._rows(query("events_with_contents"), stream, list(versions)):
            *columns, part, media_type, salt, data = row
            if row[1] not in stored:
                stored[row[1]] = (StoredRow.of(columns), {})
            if part is not None:
                stored[row[1]][1][part] = StoredContent(media_type, salt, data)
        found = [(event, _proven(event, contents)) for event, contents in stored.values()]
        missing = {
            (event.originator_version, part)
            for event, contents in found
            for part, data in contents.items()
            if data is None
        }
        if missing:
            self._require_erased(stream, missing)
        return [
            (event, {part: data for part, data in contents.items() if data is not None})
            for event, contents in found
        ]

    def _require_erased(self, stream: UUID, missing: set[Place]) -> None:
        oldest = min(version for version, _ in missing)
        rows = self._rows(query("payloads_of_type"), stream, ContentsErased.type, oldest)
        for place in sorted(missing.difference(*(_erased_places(payload) for (payload,) in rows))):
            raise _unproven(stream, *place, "is missing, and no event says that it was erased")

    def batches(
        self, stream: UUID, after: int = 0, upto: int = _LAST, size: int = BATCH
    ) -> Iterator[list[StoredRow]]:
        """The same in batches, each read when it is asked for."""
        while after < upto:
            batch = self.rows(stream, after, upto, limit=size)
            if batch:
                yield batch
                after = batch[-1].originator_version
            if len(batch) < size:
                return

    def branch_points(self, stream: UUID) -> list[BranchPoint]:
        return [BranchPoint._make(row) for row in self._rows(query("branch_points"), stream)]

    def sharing(
        self,
        stream: UUID,
        versions: Sequence[int],
        places: Sequence[tuple[int, int]] = (),
        *,
        everywhere: bool,
    ) -> list[tuple[int, int]]:
        """The contents of these events and those at these places, as (version, part), with all that share their stored
        bytes; with `everywhere` also those that say the same in bytes of their own."""
        text = query("contents_saying_the_same") if everywhere else query("contents_sharing_bytes")
        found = self._rows(
            text, stream, list(versions), [place[0] for place in places], [place[1] for place in places]
        )
        return [(row[0], row[1]) for row in found]

    def versions_of(
        self, stream: UUID, item: int, first: int = 1, last: int = _LAST
    ) -> list[tuple[int, bool]]:
        """The stream's own events, in a range of versions, that hold an item's contents: the one that brought it
        and those that extended or revised it, and of each whether it replaced what was there before."""
        wanted = {
            "stream": stream,
            "first": max(first, item),
            "last": last,
            "item": item,
            "named": str(item),
        }
        found = self.database.read(
            lambda c: c.execute(query("versions_of_item"), wanted, binary=True).fetchall()
        )
        return [(row[0], row[1]) for row in found]

    def earlier_append(self, stream: UUID, key: str) -> tuple[int, int, bytes] | None:
        """The use of an idempotency key: first version, last version, fingerprint."""
        row = self._row(query("earlier_append"), stream, key)
        return (row[0], row[1], row[2]) if row else None

    def version_at(self, stream: UUID, moment: datetime) -> int:
        """The newest version that was recorded up to a moment; 0 for none."""
        row = self._row(query("version_at"), stream, moment)
        return 0 if row is None else int(row[0])

    def chain_at(self, stream: UUID, version: int) -> bytes | None:
        row = self._row(query("chain_at"), stream, version)
        return row[0] if row else None

    def _row(self, text: bytes, *parameters: Any) -> Any:
        return self.database.read(lambda c: c.execute(text, parameters, binary=True).fetchone())

    def _rows(self, text: bytes, *parameters: Any) -> list[Any]:
        return self.database.read(lambda c: c.execute(text, parameters, binary=True).fetchall())


def _proven(event: StoredRow, stored: dict[int, StoredContent]) -> dict[int, bytes | None]:
    """The bytes that each reference of an event names, by part; None for those that are not there."""
    proven: dict[int, bytes | None] = {}
    for ref in references_in(_json(event.state)):
        part = ref.get("part", 0)
        content = stored.get(part)
        proven[part] = None if content is None else content.data
        named = (ref.get("media_type", PLAIN_TEXT), ref["sha256"])
        if content is not None and (content.media_type, content.sha256) != named:
            raise _unproven(
                event.stream, event.originator_version, part, "does not match the digest in its event"
            )
    return proven


def _json(payload: bytes) -> Any:
    """A payload's values; None if it is not JSON, which the library's own recorder allows."""
    try:
        return json.loads(payload)
    except ValueError:
        return None


def _erased_places(payload: bytes) -> set[Place]:
    """The places that an erasure names."""
    try:
        return {(version, part) for version, part in _json(payload)["erased"]}
    except (LookupError, TypeError, ValueError):
        return set()


def _unproven(stream: UUID, version: int, part: int, what: str) -> VerificationFailed:
    return VerificationFailed(f"session {stream}: contents, version {version} part {part}: {what}.")
