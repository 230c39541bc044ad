"""The library's cases for infrastructure factories, and what ours says when it is not told where the database
is."""

import pytest
from eventsourcing.persistence import InfrastructureFactory, InfrastructureFactoryError
from eventsourcing.tests.persistence import InfrastructureFactoryTestCase
from eventsourcing.utils import Environment

from backstory.infrastructure.eventsourcing_library.factory import Factory
from backstory.infrastructure.eventsourcing_library.recorder import (
    AggregateLogRecorder,
    AggregateSnapshotRecorder,
    LogRecorder,
    ProcessLogRecorder,
    TrackingLogRecorder,
)
from backstory.infrastructure.postgres.database import Database

MODULE = {"PERSISTENCE_MODULE": "backstory.infrastructure.eventsourcing_library.factory"}


class TrackingOfOurOwn(TrackingLogRecorder):
    pass


class TestFactory(InfrastructureFactoryTestCase[Factory]):
    database: Database

    def setUp(self) -> None:
        self.env = Environment("Test", MODULE | {"BACKSTORY_DATABASE_URL": self.database.url})
        super().setUp()

    def test_snapshots_have_a_recorder_of_their_own(self) -> None:
        assert type(self.factory.aggregate_recorder(purpose="snapshots")) is AggregateSnapshotRecorder

    def test_a_class_that_is_no_tracking_recorder_of_ours_is_refused(self) -> None:
        self.env[Factory.TRACKING_RECORDER_TOPIC] = "eventsourcing.popo:POPOTrackingRecorder"
        with pytest.raises(InfrastructureFactoryError, match="is not a TrackingLogRecorder"):
            self.factory.tracking_recorder()

    def expected_factory_class(self) -> type[Factory]:
        return Factory

    def expected_aggregate_recorder_class(self) -> type[AggregateLogRecorder]:
        return AggregateLogRecorder

    def expected_application_recorder_class(self) -> type[LogRecorder]:
        return LogRecorder

    def expected_tracking_recorder_class(self) -> type[TrackingLogRecorder]:
        return TrackingLogRecorder

    def tracking_recorder_subclass(self) -> type[TrackingLogRecorder]:
        return TrackingOfOurOwn

    def expected_process_recorder_class(self) -> type[ProcessLogRecorder]:
        return ProcessLogRecorder


def test_without_an_address_it_says_which_setting_is_missing() -> None:
    with pytest.raises(InfrastructureFactoryError, match="BACKSTORY_DATABASE_URL is not set"):
        InfrastructureFactory.construct(Environment("Test", MODULE))


del InfrastructureFactoryTestCase
