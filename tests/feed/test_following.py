"""Whoever follows hears of events soon after their commit, also when announcements are lost, until he has enough."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

import psycopg
import pytest

from backstory.application.aio.store import AsyncContextStore
from backstory.application.store import ContextStore
from backstory.domain.errors import UnknownSession
from backstory.infrastructure.eventsourcing_library.recorder import LogRecorder
from backstory.infrastructure.feed import waiter
from backstory.infrastructure.feed.announcer import MOST_NAMED, Announcer, said_of, streams_in
from backstory.infrastructure.feed.listener import Listener
from tests.feed.conftest import reading
from tests.waiting import until

A_MINUTE = 60.0


def long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by himself: what comes was announced."""
    monkeypatch.setattr(waiter, "SHORTEST", A_MINUTE)
    monkeypatch.setattr(waiter, "INTERVAL", A_MINUTE)
    for module in ("backstory.application.feed.follower", "backstory.application.feed.feed"):
        monkeypatch.setattr(f"{module}.INTERVAL", A_MINUTE)


def test_the_feed_goes_on_with_what_is_appended(any_store: ContextStore) -> None:
    session = any_store.start(project=f"p{uuid4().hex}")
    after = any_store.feed_status().newest
    with reading(any_store.feed(after=after, follow=True)) as reader:
        for number in range(3):
            session.message(str(number))
            until(lambda n=number: any(e.session == session.id and e.version == n + 2 for e in reader.met))
    versions = [entry.version for entry in reader.met if entry.session == session.id]
    assert versions == [2, 3, 4]


def test_a_tail_goes_on_with_what_is_appended(any_store: ContextStore) -> None:
    session = any_store.start()
    session.message("before")
    with reading(session.tail(after=1)) as reader:
        until(lambda: len(reader.met) == 1)
        session.message("after")
        until(lambda: len(reader.met) == 2)
        session.backtrack(2, "again")
        until(lambda: len(reader.met) == 3)
    assert [event.version for event in reader.met] == [2, 3, 4]
    assert reader.followed.version == 4


def test_a_tail_ends_at_a_version_and_takes_only_what_is_wanted(any_store: ContextStore) -> None:
    session = any_store.start()
    with reading(session.tail(upto=5, types=["message.added"], actor="ana")) as reader:
        for number in range(3):
            session.by("ana").message(str(number))
            session.by("ben").message(str(number))
        until(lambda: reader.ended)
    assert [event.version for event in reader.met] == [2, 4]


def test_a_forks_tail_begins_with_its_parents_events(store: ContextStore) -> None:
    session = store.start()
    session.message("a")
    fork = session.fork()
    assert [event.stream for event in fork.tail(upto=3)] == [session.id, session.id, fork.id]


def test_a_tail_of_what_is_gone_says_so(own_store: ContextStore) -> None:
    session = own_store.start()
    with own_store._runtime.database.apart("to purge") as connection:
        connection.execute("reset role")
        connection.execute("select backstory.purge(%s)", (session.id,))
    with pytest.raises(UnknownSession):
        next(session.tail())


def test_an_append_wakes_those_who_wait(own_store: ContextStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = own_store
    session = store.start()
    after = store.feed_status().newest
    listener = store._runtime.database.listener
    long_waits(monkeypatch)
    with (
        reading(store.feed(after=after, follow=True, types=["message.added"])) as feed,
        reading(session.tail(after=1)) as tail,
    ):
        until(lambda: listener.hears and len(listener._waiting) == 2)
        session.message("anybody there?")
        until(lambda: feed.met and tail.met, patience=30)
    assert tail.met[0].version == 2


def test_a_tail_is_not_woken_by_other_sessions(new_database: Callable[[], str]) -> None:
    url = new_database()
    listener = Listener(url)
    session, other = uuid4(), uuid4()
    mine, any_ = [], []
    tickets = [listener.join(lambda: mine.append(1), session), listener.join(lambda: any_.append(1))]
    until(lambda: len(mine) == len(any_) == 1)  # Listening has begun.
    with psycopg.connect(url, autocommit=True) as connection:
        for named in ({other}, {session, other}, {other}, None):
            count = len(any_) + 1
            connection.execute("select pg_notify('backstory', %s)", (said_of(named),))
            until(lambda n=count: len(any_) == n)
    assert len(mine) == 3
    for ticket in tickets:
        listener.leave(ticket)
    until(lambda: not listener.hears)
    listener.close()


def test_announcements_name_streams_or_none_when_there_are_too_many() -> None:
    few = {uuid4() for _ in range(MOST_NAMED)}
    assert streams_in(said_of(few)) == few
    assert len(said_of(few)) < 8000
    assert said_of(few | {uuid4()}) == ""
    assert streams_in("") is None
    assert streams_in("who wrote this?") is None


def test_what_was_appended_last_is_announced_before_the_store_is_closed() -> None:
    said: list[str] = []
    announcer = Announcer(said.append)
    one, other = uuid4(), uuid4()
    announcer.appended(one)
    until(lambda: said)
    announcer.appended(other)
    announcer.stop()
    assert [streams_in(text) for text in said] == [{one}, {other}]


def test_a_lost_announcement_costs_one_interval(store: ContextStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Announcer, "appended", lambda self, stream=None: None)
    session = store.start()
    recorder = LogRecorder(store._runtime.database)
    newest = recorder.max_notification_id()
    with (
        reading(store.feed(after=newest, follow=True)) as feed,
        reading(session.tail(after=1)) as tail,
        recorder.subscribe(gt=newest) as subscription,
    ):
        session.message("nobody says so")
        until(lambda: any(entry.session == session.id for entry in feed.met) and tail.met)
        assert any(notification.originator_id == session.id for notification in subscription)


def test_a_subscription_of_the_librarys_is_woken_too(
    store: ContextStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_waits(monkeypatch)
    session = store.start()
    recorder = LogRecorder(store._runtime.database)
    met: list[object] = []
    with recorder.subscribe(gt=recorder.max_notification_id()) as subscription:
        reader = threading.Thread(target=lambda: met.extend(n.originator_id for n in subscription))
        reader.start()
        until(lambda: store._runtime.database.listener.hears)
        session.message("anybody there?")
        until(lambda: session.id in met, patience=30)
    reader.join(30)
    assert not reader.is_alive()


def test_closing_ends_a_reader_that_waits(own_store: ContextStore, monkeypatch: pytest.MonkeyPatch) -> None:
    session = own_store.start()
    long_waits(monkeypatch)
    for followed in (own_store.feed(follow=True), session.tail()):
        with reading(followed) as reader:
            until(lambda: own_store._runtime.database.listener._waiting)
        assert reader.ended
        assert list(followed) == []
    assert not own_store._runtime.database.listener._waiting


def test_closing_the_store_ends_everybody(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    long_waits(monkeypatch)
    store = ContextStore.open(url)
    session = store.start()
    with reading(store.feed(follow=True)) as feed, reading(session.tail()) as tail:
        until(lambda: len(store._runtime.database.listener._waiting) == 2)
        store.close()
        until(lambda: feed.ended and tail.ended, patience=30)


def test_a_reader_that_was_forgotten_waits_no_more(own_store: ContextStore) -> None:
    session = own_store.start()
    for _ in session.tail():
        break
    tail = session.tail(after=1)
    tail.waiter.next_pause()
    assert own_store._runtime.database.listener._waiting
    del tail
    assert not own_store._runtime.database.listener._waiting


async def test_many_wait_on_few_threads(url: str) -> None:
    async with await AsyncContextStore.open(url, pool_size=2) as store:
        sessions = [await store.start() for _ in range(20)]
        tails = [session.tail(after=1) for session in sessions]
        waiting = [asyncio.create_task(anext(tail)) for tail in tails]
        for session in sessions:
            await session.message("hello")
        assert [event.version for event in await asyncio.gather(*waiting)] == [2] * 20
        for tail in tails:
            await tail.close()


async def test_a_cancelled_reader_loses_nothing(url: str) -> None:
    async with await AsyncContextStore.open(url) as store:
        session = await store.start()
        async with session.tail() as tail:
            seen = []
            for number in range(20):
                await session.message(str(number))
                task = asyncio.create_task(anext(tail))
                # Cancelled wherever it is: before its read, in it, after it.
                for _ in range(number):
                    await asyncio.sleep(0)
                task.cancel()
                with suppress(asyncio.CancelledError):
                    seen.append((await task).version)
            while len(seen) < 21:
                seen.append((await anext(tail)).version)
        assert seen == list(range(1, 22))
        assert [event.version async for event in tail] == []
