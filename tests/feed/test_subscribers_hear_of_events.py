"""A subscriber hears of events soon after their commit, also when announcements are lost."""

import threading
import time

from backstory.infrastructure.announcing import Announcer
from backstory.infrastructure.database import Database
from backstory.infrastructure.feed import FeedSubscription
from backstory.infrastructure.recorder import LogRecorder
from backstory.store import ContextStore


def first_of(subscription: FeedSubscription, stream: object) -> float:
    """When the subscriber first met an event of the stream."""
    for notification in subscription:
        if notification.originator_id == stream:
            return time.monotonic()
    raise AssertionError("the subscription ended")


def subscribed(database: Database) -> FeedSubscription:
    recorder = LogRecorder(database)
    return recorder.subscribe(gt=recorder.max_notification_id())


def test_an_append_wakes_a_waiting_subscriber(store: ContextStore, monkeypatch) -> None:
    monkeypatch.setattr(FeedSubscription, "INTERVAL", 60.0)
    session = store.start()
    with subscribed(store._core.database) as subscription:
        heard: list[float] = []
        reader = threading.Thread(target=lambda: heard.append(first_of(subscription, session.id)))
        reader.start()
        while subscription._listening is None:
            time.sleep(0.01)
        session.message("anybody there?")
        reader.join(timeout=30)
    assert heard, "the subscriber waited for its own poll, a minute away"


def test_a_lost_announcement_costs_one_interval(store: ContextStore, monkeypatch) -> None:
    monkeypatch.setattr(Announcer, "appended", lambda self: None)
    session = store.start()
    with subscribed(store._core.database) as subscription:
        heard: list[float] = []
        reader = threading.Thread(target=lambda: heard.append(first_of(subscription, session.id)))
        reader.start()
        while subscription._listening is None:
            time.sleep(0.01)
        session.message("nobody says so")
        reader.join(timeout=30)
    assert heard
