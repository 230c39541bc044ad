"""A transaction that has an id and does not end might still bring an event: the feed waits, and says for
whom."""

import logging
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder
from backstory.infrastructure.postgres.database import Database


class TestFeed:
    database: Database

    def test_it_serves_nothing_new_until_the_transaction_ends(self, caplog: pytest.LogCaptureFixture) -> None:
        recorder = LogRecorder(self.database)
        recorder.patience = 0.05
        recorder.insert_events([StoredEvent(uuid4(), 1, "before", b"")])
        assert [n.id for n in recorder.select_notifications(None, 10)] == [1]
        with psycopg.connect(self.database.url) as foreign:
            foreign.execute("select pg_current_xact_id()")
            recorder.insert_events([StoredEvent(uuid4(), 1, "after", b"")])
            with caplog.at_level(logging.WARNING):
                assert [n.id for n in recorder.select_notifications(None, 10)] == [1]
            assert f"by a long transaction of process {foreign.info.backend_pid}" in caplog.text
        assert [n.id for n in recorder.select_notifications(None, 10)] == [1, 2]

    def test_a_reader_of_the_database_is_not_waited_for(self) -> None:
        recorder = LogRecorder(self.database)
        recorder.patience = 0.05
        with psycopg.connect(self.database.url) as reader:
            reader.execute("set transaction isolation level repeatable read")
            reader.execute("select 1")
            recorder.insert_events([StoredEvent(uuid4(), 1, "topic", b"")])
            assert len(recorder.select_notifications(None, 10)) == 1
