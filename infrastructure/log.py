"""Reads of the event log in Postgres and of its contents."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.lineage import Seam
from backstory.infrastructure.database import Database
from backstory.infrastructure.mapper import StoredRow
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
        """How many items of each type were brought."""
        return item_counts(self.summary)


class ContentRow(NamedTuple):
    version: int
    part: int
    media_type: str
    salt: bytes
    data: bytes | None


_EVENT_COLUMNS = (
    "stream_id, version, type, payload, schema_version, recorded_at, occurred_at, epoch, cause, actor, effects, "
    "chain, position"
)

_READ = (
    f"select {_EVENT_COLUMNS} from backstory.events where stream_id = %s and version > %s and version <= %s"
)
_LAST = 2**31 - 1


class EventLog:
    """Reads of the log and its contents."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def head(self, stream: UUID) -> Head | None:
        row = self._row(
            "select stream_id, kind, version, epoch, chain, started_at, recorded_at, summary "
            "from backstory.streams where stream_id = %s",
            stream,
        )
        return Head._make(row) if row else None

    def rows(
        self, stream: UUID, after: int = 0, upto: int = _LAST, *, desc: bool = False, limit: int | None = None
    ) -> list[StoredRow]:
        """Stored events of one stream, its own only, with versions above `after` and up to `upto`."""
        order = " order by version desc" if desc else " order by version"
        query = _READ + order + ("" if limit is None else f" limit {int(limit)}")
        found = self.database.read(
            lambda connection: connection.execute(query, (stream, after, upto), binary=True).fetchall()
        )
        return [StoredRow(*row) for row in found]

    def rows_at(self, stream: UUID, versions: Sequence[int]) -> list[StoredRow]:
        """The stored events of these versions, the stream's own only."""
        query = f"select {_EVENT_COLUMNS} from backstory.events where stream_id = %s and version = any (%s)"
        return [StoredRow(*row) for row in self._rows(query + " order by version", stream, list(versions))]

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

    def seams(self, stream: UUID) -> list[Seam]:
        found = self._rows(
            "select version, resumed_stream, resumed_version from backstory.seams where stream_id = %s "
            "order by version",
            stream,
        )
        return [Seam._make(row) for row in found]

    def contents(self, stream: UUID, versions: Sequence[int]) -> list[ContentRow]:
        """All contents of these events of the stream's own, twins resolved. An erased one is not there."""
        found = self._rows(
            "select c.version, c.part, coalesce(c.media_type, 'text/plain'), c.salt, coalesce(c.bytes, t.bytes) "
            "from backstory.contents c left join backstory.contents t on t.stream_id = c.stream_id "
            "and t.version = c.twin_version and t.part = c.twin_part "
            "where c.stream_id = %s and c.version = any (%s) order by c.version, c.part",
            stream,
            list(versions),
        )
        return [ContentRow._make(row) for row in found]

    def twins(self, stream: UUID, versions: Sequence[int], *, everywhere: bool) -> list[tuple[int, int]]:
        """The contents of these events, as (version, part), with all that share their stored bytes; with
        `everywhere` also those that say the same in bytes of their own."""
        same = "other.home = mine.home" + (" or other.bytes = mine.bytes" if everywhere else "")
        found = self._rows(
            "with resolved as (select c.version, c.part, coalesce(c.bytes, t.bytes) as bytes, "
            "array[coalesce(c.twin_version, c.version), coalesce(c.twin_part, c.part)] as home "
            "from backstory.contents c left join backstory.contents t on t.stream_id = c.stream_id "
            "and t.version = c.twin_version and t.part = c.twin_part where c.stream_id = %s) "
            "select distinct other.version, other.part from resolved mine "
            f"join resolved other on {same} where mine.version = any (%s) order by 1, 2",
            stream,
            list(versions),
        )
        return [(row[0], row[1]) for row in found]

    def versions_of(
        self, stream: UUID, item: int, first: int = 1, last: int = _LAST
    ) -> list[tuple[int, bool]]:
        """The stream's own events, in a range of versions, that hold an item's contents: the one that brought it
        and those that extended or revised it, and of each whether it replaced what was there before."""
        found = self._rows(
            "select version, coalesce(effects::jsonb #>> '{revises,item}' = %s, false) from backstory.events "
            "where stream_id = %s and version between %s and %s "
            "and effects is not null and ((version = %s and effects::jsonb ? 'brings') "
            "or effects::jsonb #>> '{extends,item}' = %s or effects::jsonb #>> '{revises,item}' = %s) order by version",
            str(item),
            stream,
            max(first, item),
            last,
            item,
            str(item),
            str(item),
        )
        return [(row[0], row[1]) for row in found]

    def earlier_append(self, stream: UUID, key: str) -> tuple[int, int, bytes] | None:
        """What an idempotency key was used for: first version, last version, fingerprint."""
        row = self._row(
            "select first_version, last_version, fingerprint from backstory.appends "
            "where stream_id = %s and key = %s",
            stream,
            key,
        )
        return (row[0], row[1], row[2]) if row else None

    def chain_at(self, stream: UUID, version: int) -> bytes | None:
        row = self._row(
            "select chain from backstory.events where stream_id = %s and version = %s", stream, version
        )
        return row[0] if row else None

    def _row(self, query: str, *parameters: Any) -> Any:
        return self.database.read(lambda c: c.execute(query.encode(), parameters, binary=True).fetchone())

    def _rows(self, query: str, *parameters: Any) -> list[Any]:
        return self.database.read(lambda c: c.execute(query.encode(), parameters, binary=True).fetchall())
