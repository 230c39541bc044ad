"""The library's recorders over our log: its applications run on it, and its own test cases hold it to
account.

`insert_events` is the library's exact-version append: every event comes with its version, and one that does
not follow the head is an IntegrityError. The store's blind append has no counterpart there and does not
pretend to.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from eventsourcing import persistence as library
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    IntegrityError,
    Notification,
    ProcessRecorder,
    StoredEvent,
    Tracking,
    TrackingRecorder,
)

from backstory.domain.errors import BackstoryError, InvalidInput, SessionBusy, Unavailable
from backstory.domain.log.guards import Guard
from backstory.infrastructure.eventsourcing_library.subscription import FeedSubscription
from backstory.infrastructure.feed.horizon import PATIENCE, Horizon
from backstory.infrastructure.postgres.append import PendingEvent, append
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.postgres.locks import lock_stream
from backstory.infrastructure.postgres.log import EventLog
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.states.state_recorders import LAST_VERSION, SnapshotRecorder, stream_of

T = TypeVar("T")

OPAQUE = 0
"""The schema version of events, and the fold version of snapshots, that are bytes of the library's."""

KIND = "library"
"""The kind of the streams that hold them."""


class RecorderBase:
    """A database, with errors that are the library's."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def _read(self, reading: Callable[[psycopg.Connection], T]) -> T:
        with library_errors():
            return self.database.read(reading)

    def _write(self, work: Callable[[psycopg.Connection], T]) -> T:
        """Does the work in one transaction, once: these writes carry no key that would let them be
        repeated."""

        def in_transaction(connection: psycopg.Connection) -> T:
            with connection.transaction():
                return work(connection)

        with library_errors():
            done = self.database.repeat(in_transaction, certain=False)
        self.database.announcer.appended()
        return done


class AggregateLogRecorder(RecorderBase, AggregateRecorder):
    """Records events of any stream in the log, at exactly the versions they come with."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        self._insert(stored_events)
        return None

    def _insert(self, stored_events: Sequence[StoredEvent], tracking: Tracking | None = None) -> list[int]:
        """Writes all or nothing, and returns the events' positions in the feed."""
        streams = _by_stream(stored_events)
        positions: dict[tuple[UUID, int], int] = {}

        def work(connection: psycopg.Connection) -> None:
            _lock_in_order(connection, streams)
            for stream, events in streams.items():
                first = events[0].originator_version
                pending = [PendingEvent(event.topic, OPAQUE, event.state) for event in events]
                append(connection, stream, pending, guard=Guard(expected=first - 1), kind=KIND)
                written = connection.execute(query("positions_from"), (stream, first))
                positions.update({(stream, version): position for version, position in written})
            if tracking is not None:
                track(connection, tracking)

        self._write(work)
        return [positions[stream_of(e.originator_id), e.originator_version] for e in stored_events]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        after, upto = 0 if gt is None else gt, LAST_VERSION if lte is None else lte
        with library_errors():
            log = EventLog(self.database)
            rows = log.rows(stream_of(originator_id), after, upto, desc=desc, limit=limit)
        return [StoredEvent(row.originator_id, row.originator_version, row.topic, row.state) for row in rows]


class LogRecorder(AggregateLogRecorder, ApplicationRecorder):
    """Records events, and reads those of all streams as one feed that no reader can skip past."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.patience = PATIENCE
        self._horizon = Horizon(database)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        return self._insert(stored_events) if stored_events else None

    def max_notification_id(self) -> int | None:
        row = self._read(lambda c: c.execute(query("newest_position")).fetchone())
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
        with library_errors():
            safe = self._horizon.advance(self.patience)
        first = 0 if start is None else start if inclusive_of_start else start + 1
        last = safe if stop is None else min(stop, safe)
        wanted = {"first": first, "last": last, "types": list(topics) or None, "limit": limit}
        rows = self._read(lambda c: c.execute(query("feed"), wanted).fetchall())
        return [Notification(*row) for row in rows]

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> FeedSubscription:
        return FeedSubscription(self, self.database.listener, gt, topics)


class TrackingLogRecorder(RecorderBase, TrackingRecorder):
    """Records how far consumers of the feed have come."""

    def insert_tracking(self, tracking: Tracking) -> None:
        self._write(lambda connection: track(connection, tracking))

    def max_tracking_id(self, application_name: str) -> int | None:
        row = self._read(
            lambda c: c.execute(query("newest_tracked_position"), (application_name,)).fetchone()
        )
        return row[0] if row else None


class ProcessLogRecorder(LogRecorder, TrackingLogRecorder, ProcessRecorder):
    """Records events and tracking in one transaction."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        tracking: Tracking | None = kwargs.get("tracking")
        if not stored_events and tracking is None:
            return None
        return self._insert(stored_events, tracking)


class AggregateSnapshotRecorder(RecorderBase, AggregateRecorder):
    """Records snapshots of the library's aggregates. They come with a topic, which is kept in front of their
    bytes, and saving one twice is an error, as it is in the library."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._states = SnapshotRecorder(database, OPAQUE)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        def work(connection: psycopg.Connection) -> None:
            for event in stored_events:
                if not self._states.save(connection, event, event.topic.encode() + b"\0" + event.state):
                    where = f"version {event.originator_version} of {event.originator_id}"
                    raise IntegrityError(f"{where} has a snapshot already, or does not exist")

        self._write(work)
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
        with library_errors():
            found = self._states.select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)
        return [_with_topic(event) for event in found]


def track(connection: psycopg.Connection, tracking: Tracking) -> None:
    """Notes a consumer's position in the connection's transaction."""
    connection.execute(query("track"), (tracking.application_name, tracking.notification_id))


@contextmanager
def library_errors() -> Iterator[None]:
    """Turns errors of ours, and of the driver's, into the library's."""
    try:
        yield
    except (BackstoryError, psycopg.Error) as error:
        raise _library_error(error)(str(error)) from error


def _library_error(error: BackstoryError | psycopg.Error) -> type[library.PersistenceError]:
    match error:
        case SessionBusy() | Unavailable() | psycopg.OperationalError():
            return library.OperationalError
        case InvalidInput() | psycopg.DataError():
            return library.DataError
        case BackstoryError() | psycopg.IntegrityError():
            return IntegrityError
        case psycopg.ProgrammingError():
            return library.ProgrammingError
        case psycopg.InterfaceError():
            return library.InterfaceError
    return library.DatabaseError


def _by_stream(events: Sequence[StoredEvent]) -> dict[UUID, list[StoredEvent]]:
    streams: dict[UUID, list[StoredEvent]] = {}
    for event in events:
        streams.setdefault(stream_of(event.originator_id), []).append(event)
    for grouped in streams.values():
        first = grouped[0].originator_version
        if [event.originator_version for event in grouped] != list(range(first, first + len(grouped))):
            raise IntegrityError("the versions of one stream's events must follow one another")
    return streams


def _lock_in_order(connection: psycopg.Connection, streams: dict[UUID, list[StoredEvent]]) -> None:
    """Takes the locks of several streams in the order of their ids, so that two writers cannot each hold what
    the other waits for. One stream's lock is taken by its append."""
    if len(streams) > 1:
        for stream in sorted(streams):
            lock_stream(connection, stream)


def _with_topic(event: StoredEvent) -> StoredEvent:
    topic, _, state = event.state.partition(b"\0")
    return StoredEvent(event.originator_id, event.originator_version, topic.decode(), state)
