"""Events as they come, for many who follow at once: each reader here is shared by all of them."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from backstory.application.feed.feed import FeedEvent, feed_status
from backstory.application.feed.follower import Follower
from backstory.application.queries.history import LogEntry, SessionHistory
from backstory.application.queries.status import Figures, figures_of
from backstory.application.runtime import Runtime

if TYPE_CHECKING:
    from backstory.application.session import Session
    from backstory.application.store import ContextStore

T = TypeVar("T")

PAGE = 200
"""Entries that one read of what was missed brings, at most."""


class Page(NamedTuple, Generic[T]):
    """Some entries, and the id up to which these are all."""

    entries: list[T]
    upto: int


class LiveReader(Protocol[T]):
    """Reads what comes, without waiting for it."""

    @property
    def start(self) -> int:
        """The id of the newest entry when the reader was made. `take` begins behind it."""

    def take(self) -> Sequence[T]:
        """The next entries; none if there are none now, or while the database is away."""

    def next_pause(self, wake: Callable[[], None]) -> float:
        """Seconds after which to look again, unless `wake` is called."""

    def page(self, after: int) -> Page[T]:
        """Entries after an id, for one who missed them."""

    def close(self) -> None: ...


class SessionReader:
    """The events of one session, with their contents."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._history = SessionHistory(session)
        self.start = self._history.newest
        self._tail = session.tail(after=self.start)

    @property
    def session(self) -> UUID:
        return self._session.id

    def take(self) -> Sequence[LogEntry]:
        events = self._tail.take()
        if not events:
            return ()
        self._history.refresh()
        return list(self._history.of(events))

    def next_pause(self, wake: Callable[[], None]) -> float:
        return _next_pause(self._tail, wake)

    def page(self, after: int) -> Page[LogEntry]:
        history = SessionHistory(self._session)
        entries = list(islice(history.entries(after=after), PAGE))
        return Page(entries, entries[-1].version if len(entries) == PAGE else max(after, history.newest))

    def figures(self) -> Figures:
        """The windows and tiers, as they are now."""
        return figures_of(self._session)

    def close(self) -> None:
        self._tail.close()


class FeedReader:
    """The events of all sessions, or of those that a store on somebody's behalf reaches."""

    def __init__(self, store: "ContextStore") -> None:
        self._store = store
        self.start = newest_position(store._runtime)
        self._feed = store.feed(after=self.start, follow=True)

    def take(self) -> Sequence[FeedEvent]:
        return self._feed.take()

    def next_pause(self, wake: Callable[[], None]) -> float:
        return _next_pause(self._feed, wake)

    def page(self, after: int) -> Page[FeedEvent]:
        return feed_page(self._store, after)

    def close(self) -> None:
        self._feed.close()


def feed_page(store: "ContextStore", after: int, project: str | None = None) -> Page[FeedEvent]:
    """Events of the feed after a position."""
    with store.feed(after=after, project=project) as feed:
        found = list(islice(feed, PAGE))
        return Page(found, feed.position)


def newest_position(runtime: Runtime) -> int:
    """The newest position of the feed that readers can see."""
    return feed_status(runtime).position


def _next_pause(follower: Follower[T], wake: Callable[[], None]) -> float:
    follower.waiter.on_wake = wake
    return follower.waiter.next_pause(follower.longest_wait)
