"""The library's recorders over our log, so that its repository, mapper and tracking work on it, and its own test
cases hold it to account.

`insert_events` is the library's exact-version append: every event comes with its version, and one that does not
follow the head is an IntegrityError. The store's blind append has no counterpart there and does not pretend to.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    IntegrityError,
    InterfaceError,
    Notification,
    OperationalError,
    ProcessRecorder,
    ProgrammingError,
    StoredEvent,
    Subscription,
    Tracking,
    TrackingRecorder,
)

from backstory.domain.errors import Unavailable, VersionConflict
from backstory.domain.guards import Guard
from backstory.infrastructure.database import Database
from backstory.infrastructure.log import EventLog, PendingEvent, append

OPAQUE = 0
"""The schema version of events that are bytes of the library's and not bodies of ours."""


class RecorderBase:
    def __init__(self, database: Database) -> None:
        self.database = database
        self.log = EventLog(database)

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection]:
        """A transaction whose errors are the library's."""
        try:
            with self.database.connection() as connection, connection.transaction():
                yield connection
        except (VersionConflict, psycopg.errors.UniqueViolation) as error:
            raise IntegrityError(str(error)) from error
        except Unavailable as error:
            raise OperationalError(str(error)) from error
        except psycopg.ProgrammingError as error:
            raise ProgrammingError(str(error)) from error


class LogRecorder(RecorderBase, ApplicationRecorder):
    """Records events of any stream in the log, at exactly the versions they come with."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        return self._insert(stored_events, None)

    def _insert(self, stored_events: Sequence[StoredEvent], tracking: Tracking | None) -> Sequence[int] | None:
        if not stored_events and tracking is None:
            return None
        positions: dict[tuple[UUID, int], int] = {}
        with self.transaction() as connection:
            for stream, events in _by_stream(stored_events).items():
                guard = Guard(expected=events[0].originator_version - 1)
                pending = [PendingEvent(event.topic, OPAQUE, event.state) for event in events]
                append(connection, stream, pending, guard=guard, kind="library")
                written = connection.execute(
                    "select version, position from backstory.events where stream_id = %s and version >= %s",
                    (stream, events[0].originator_version),
                )
                positions.update({(stream, version): position for version, position in written})
            if tracking is not None:
                track(connection, tracking)
        return [positions[_stream(event), event.originator_version] for event in stored_events]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        upto = 2**31 - 1 if lte is None else lte
        return self.log.rows(_uuid(originator_id), -1 if gt is None else gt, upto, desc=desc, limit=limit)

    def max_notification_id(self) -> int | None:
        row = self.database.read(lambda c: c.execute("select max(position) from backstory.events").fetchone())
        return row[0] if row else None

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        horizon = self.safe_position()
        first = 0 if start is None else start if inclusive_of_start else start + 1
        last = horizon if stop is None else min(stop, horizon)
        query = (
            "select stream_id, version, type, payload, position from backstory.events "
            "where position between %s and %s and (%s::text[] is null or type = any (%s)) order by position limit %s"
        )
        wanted = list(topics) or None
        rows = self.database.read(lambda c: c.execute(query, (first, last, wanted, wanted, limit)).fetchall())
        return [
            Notification(id=row[4], originator_id=row[0], originator_version=row[1], topic=row[2], state=row[3])
            for row in rows
        ]

    def safe_position(self, patience: float = 5.0) -> int:
        """The newest position below which no event can still appear. Every writer has its transaction id before it
        draws a position; so once all ids up to one burned after reading the sequence are done, whatever was drawn
        by then is visible or never will be. Short writers are waited for; a long one limits what is served."""
        deadline = time.monotonic() + patience
        with self.database.connection() as connection:
            row = connection.execute("select last_value, is_called from backstory.positions").fetchone()
            burned = connection.execute("select pg_current_xact_id()::text::bigint").fetchone()
            assert row is not None
            assert burned is not None
            last = row[0] if row[1] else 0
            while True:
                oldest = connection.execute(
                    "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
                ).fetchone()
                assert oldest is not None
                if oldest[0] > burned[0]:
                    self._served = max(last, getattr(self, "_served", 0))
                    return self._served
                if time.monotonic() > deadline:
                    return getattr(self, "_served", 0)
                time.sleep(0.001)

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[ApplicationRecorder]:
        return PollingSubscription(self, gt, topics)


class PollingSubscription(Subscription[ApplicationRecorder]):
    """Waits for new events by asking for them, a few times a second when there are none."""

    INTERVAL = 0.1
    BATCH = 500

    def __init__(self, recorder: LogRecorder, gt: int | None, topics: Sequence[str]) -> None:
        super().__init__(recorder, gt, topics)
        self._pending: list[Notification] = []

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._pending:
                notification = self._pending.pop()
                self._last_notification_id = notification.id
                return notification
            found = self._recorder.select_notifications(
                self._last_notification_id, self.BATCH, topics=self._topics, inclusive_of_start=False
            )
            self._pending = list(reversed(found))
            if not found:
                time.sleep(self.INTERVAL)
        raise StopIteration


class TrackingLogRecorder(RecorderBase, TrackingRecorder):
    """Records how far consumers of the feed have come."""

    def insert_tracking(self, tracking: Tracking) -> None:
        with self.transaction() as connection:
            track(connection, tracking)

    def max_tracking_id(self, application_name: str) -> int | None:
        row = self.database.read(
            lambda c: c.execute(
                "select max(position) from backstory.tracking where consumer = %s", (application_name,)
            ).fetchone()
        )
        return row[0] if row else None

    def has_tracking_id(self, application_name: str, notification_id: int | None) -> bool:
        if notification_id is None:
            return True
        tracked = self.max_tracking_id(application_name)
        return tracked is not None and tracked >= notification_id


class ProcessLogRecorder(LogRecorder, TrackingLogRecorder, ProcessRecorder):
    """Records events and tracking in one transaction."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        return self._insert(stored_events, kwargs.get("tracking"))


class SnapshotRecorder(RecorderBase, AggregateRecorder):
    """Records states of one fold version; those of others are not seen."""

    def __init__(self, database: Database, fold_version: int) -> None:
        super().__init__(database)
        self.fold_version = fold_version

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        with self.transaction() as connection:
            for event in stored_events:
                connection.execute(
                    "select backstory.save_snapshot(%s, %s::integer, %s::integer, %s)",
                    (_stream(event), event.originator_version, self.fold_version, event.state),
                )
        return None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        query = (
            "select version, state from backstory.snapshots where stream_id = %s and fold_version = %s "
            "and version > %s and version <= %s order by version"
        )
        query += (" desc" if desc else "") + ("" if limit is None else f" limit {int(limit)}")
        stream = _uuid(originator_id)
        bounds = (-1 if gt is None else gt, 2**31 - 1 if lte is None else lte)
        rows = self.database.read(
            lambda c: c.execute(query.encode(), (stream, self.fold_version, *bounds), binary=True).fetchall()
        )
        return [StoredEvent(stream, row[0], "snapshot", row[1]) for row in rows]


def track(connection: psycopg.Connection, tracking: Tracking) -> None:
    """Notes a consumer's position in the connection's transaction."""
    connection.execute(
        "select backstory.track(%s, %s::bigint)", (tracking.application_name, tracking.notification_id)
    )


def _by_stream(events: Sequence[StoredEvent]) -> dict[UUID, list[StoredEvent]]:
    streams: dict[UUID, list[StoredEvent]] = {}
    for event in events:
        streams.setdefault(_stream(event), []).append(event)
    for grouped in streams.values():
        first = grouped[0].originator_version
        if [event.originator_version for event in grouped] != list(range(first, first + len(grouped))):
            raise IntegrityError("the versions of one stream's events must follow one another")
    return streams


def _stream(event: StoredEvent) -> UUID:
    return _uuid(event.originator_id)


def _uuid(originator_id: UUID | str) -> UUID:
    if isinstance(originator_id, UUID):
        return originator_id
    try:
        return UUID(originator_id)
    except ValueError as error:
        raise InterfaceError(f"{originator_id!r} is not a UUID") from error
