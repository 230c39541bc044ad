"""The library's cases for recorders that note how far a consumer has come."""

from eventsourcing.tests.persistence import ProcessRecorderTestCase, TrackingRecorderTestCase

from backstory.infrastructure.eventsourcing_library.recorder import ProcessLogRecorder, TrackingLogRecorder
from backstory.infrastructure.postgres.database import Database
from tests.library.from_zero import FromZero


class ProcessFromZero(FromZero, ProcessLogRecorder):
    pass


class TestTrackingRecorder(TrackingRecorderTestCase):
    database: Database

    def create_recorder(self) -> TrackingLogRecorder:
        return TrackingLogRecorder(self.database)


class TestTrackingOfProcesses(TrackingRecorderTestCase):
    database: Database

    def create_recorder(self) -> ProcessLogRecorder:
        return ProcessLogRecorder(self.database)


class TestProcessRecorder(ProcessRecorderTestCase):
    """`test_performance` begins streams at 0: see from_zero."""

    database: Database

    def create_recorder(self) -> ProcessLogRecorder:
        return ProcessFromZero(self.database)


del ProcessRecorderTestCase, TrackingRecorderTestCase
