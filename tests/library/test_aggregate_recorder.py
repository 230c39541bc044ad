"""The library's cases for recorders of aggregates: on the log and on snapshots."""

from uuid import UUID, uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.tests.persistence import AggregateRecorderTestCase

from backstory.infrastructure.eventsourcing_library.recorder import (
    AggregateLogRecorder,
    AggregateSnapshotRecorder,
)
from backstory.infrastructure.postgres.database import Database
from tests.library.from_zero import FromZero


class LogFromZero(FromZero, AggregateLogRecorder):
    pass


class TestLog(AggregateRecorderTestCase):
    """`test_insert_and_select` ends with a stream that begins at 0: see from_zero. All else is as it is."""

    database: Database

    def create_recorder(self) -> AggregateLogRecorder:
        return LogFromZero(self.database)


class TestSnapshots(AggregateRecorderTestCase):
    """A snapshot is of a version that exists, or a reader that comes late would bring something back of a
    stream that was purged. The library's cases invent ids; here each is the id of a stream that has events.
    Nothing is shifted: a snapshot before the first event is as good as any."""

    database: Database

    def create_recorder(self) -> AggregateSnapshotRecorder:
        return AggregateSnapshotRecorder(self.database)

    def new_originator_id(self) -> UUID:
        stream = uuid4()
        events = [StoredEvent(stream, version, "topic", b"state") for version in (1, 2, 3)]
        AggregateLogRecorder(self.database).insert_events(events)
        return stream


del AggregateRecorderTestCase
