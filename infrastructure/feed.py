"""The feed of all streams' events in the order of their positions, which no reader can skip past."""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any

import psycopg
from eventsourcing.persistence import ApplicationRecorder, Notification, Subscription

from backstory.infrastructure.database import Database
from backstory.infrastructure.queries import query

_LOGGER = logging.getLogger(__name__)
_PAUSE = 0.001
PATIENCE = 5.0
"""Seconds that a reader of the feed waits for writers before it takes what is certain."""


def safe_position(database: Database, served: int = 0, patience: float = PATIENCE) -> int:
    """The newest position below which no event can still appear. `served` is an older one, and the answer
    when a newer one is not certain in time.

    Every writer has its transaction id before it draws a position. So once all ids up to one that was burned
    after reading the sequence are done, whatever was drawn by then is visible or never will be. Short writers
    are waited for; a long one limits what is served, and a warning names it. While nothing new was drawn, no id
    is burned."""
    deadline = time.monotonic() + patience

    def ask(connection: psycopg.Connection) -> int:
        last, is_called = _row(connection, query("last_drawn_position"))
        if not is_called or last <= served:
            return served
        (burned,) = _row(connection, query("burn_transaction_id"))
        while True:
            (oldest,) = _row(connection, query("oldest_transaction_id"))
            if oldest > burned:
                return last
            if time.monotonic() > deadline:
                _warn(connection, served)
                return served
            time.sleep(_PAUSE)

    return database.read(ask)


def stalling_pid(connection: psycopg.Connection) -> int | None:
    """The process whose transaction is the oldest that the feed waits for, if it still is."""
    row = connection.execute(query("stalling_process")).fetchone()
    return row[0] if row else None


def _warn(connection: psycopg.Connection, served: int) -> None:
    pid = stalling_pid(connection)
    if pid is not None:
        _LOGGER.warning("the feed is held at position %s by a long transaction of process %s", served, pid)


def _row(connection: psycopg.Connection, text: bytes) -> tuple[int, ...]:
    row = connection.execute(text).fetchone()
    assert row is not None
    return row


class FeedSubscription(Subscription[ApplicationRecorder]):
    """Waits for new events: for somebody to announce them and, since an announcement may be lost, never longer than
    the interval before it asks by itself."""

    INTERVAL = 1.0
    UNHEARD_INTERVAL = 0.1
    BATCH = 500

    def __init__(
        self, recorder: ApplicationRecorder, database: Database, gt: int | None, topics: Sequence[str]
    ) -> None:
        super().__init__(recorder, gt, topics)
        self._database = database
        self._pending: list[Notification] = []
        self._stopped = threading.Event()
        self._listening: psycopg.Connection | None = None

    def stop(self) -> None:
        super().stop()
        self._stopped.set()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        super().__exit__(*args, **kwargs)
        if self._listening is not None:
            self._listening.close()

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
                self._wait()
        raise StopIteration

    def _wait(self) -> None:
        """Until something is announced or the interval is over. Listening begins before the next look, so nothing
        that comes in between is missed for longer than that."""
        try:
            if self._listening is None:
                self._listening = psycopg.connect(self._database.url, autocommit=True)
                self._listening.execute(query("listen"))
                return
            deadline = time.monotonic() + self.INTERVAL
            while time.monotonic() < deadline and not self._stopped.is_set():
                if any(True for _ in self._listening.notifies(timeout=0.1, stop_after=1)):
                    return
        except psycopg.Error:
            if self._listening is not None:
                self._listening.close()
            self._listening = None
            self._stopped.wait(self.UNHEARD_INTERVAL)
