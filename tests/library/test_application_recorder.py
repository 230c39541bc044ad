"""The library's cases for recorders of applications, and for feeds that do not interleave two appends."""

from eventsourcing.tests.persistence import (
    ApplicationRecorderTestCase,
    NonInterleavingNotificationIDsBaseCase,
)

from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder
from backstory.infrastructure.postgres.database import Database
from tests.library.from_zero import FromZero


class LogFromZero(FromZero, LogRecorder):
    pass


class TestApplicationRecorder(ApplicationRecorderTestCase[LogRecorder]):
    """`test_concurrent_no_conflicts` and `test_concurrent_throughput` begin streams at 0: see from_zero."""

    database: Database

    def create_recorder(self) -> LogRecorder:
        return LogFromZero(self.database)

    def test_insert_subscribe(self) -> None:
        """The library leaves this one to recorders that can be subscribed to. Ours can."""
        self.optional_test_insert_subscribe()


class TestAppendsDoNotInterleave(NonInterleavingNotificationIDsBaseCase):
    """Its streams begin at 0: see from_zero."""

    database: Database

    def create_recorder(self) -> LogRecorder:
        return LogFromZero(self.database)


del ApplicationRecorderTestCase, NonInterleavingNotificationIDsBaseCase
