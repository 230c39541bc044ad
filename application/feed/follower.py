"""Readers that follow: existing values first, then each new one, until they are closed."""

import logging
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar
from uuid import UUID

from backstory.domain.errors import SchemaMismatch, Unavailable
from backstory.infrastructure.feed.waiter import INTERVAL, Listening, Waiter

T = TypeVar("T")

_LOGGER = logging.getLogger(__name__)


class Source(Protocol):
    """What is followed: a database, or a service before one."""

    @property
    def closed(self) -> bool:
        """Whether nothing can be read from it any more."""
        ...

    @property
    def listener(self) -> Listening:
        """Who tells of new events."""
        ...


class Follower(ABC, Generic[T]):
    """An iterator that reads in batches. A follower waits for new values, and survives a lost connection and a
    restart of the server; other readers end at the present. `close` ends either, from any thread."""

    def __init__(self, source: Source, *, follow: bool, stream: UUID | None = None) -> None:
        self._source = source
        self._follow = follow
        self.waiter = Waiter(source.listener, stream)
        self._pending: deque[T] = deque()
        self._closed = False
        self._complains = True
        self._filling = threading.Lock()

    @abstractmethod
    def _read(self) -> Sequence[T]:
        """Reads the next batch."""

    @property
    @abstractmethod
    def _ended(self) -> bool:
        """Whether everything was read."""

    def _taken(self, value: T) -> T:
        """Called with each value before it is returned."""
        return value

    def fill(self) -> bool:
        """Reads the next batch without waiting for it, unless the last one is not used up. Returns whether there is
        one. Raises every error except that the server is away."""
        # Of an asynchronous reader that was cancelled, the read may still be under way when it comes again.
        with self._filling:
            if not self._pending:
                self._pending.extend(self._attempted())
            return bool(self._pending)

    def pop(self) -> T:
        """Returns the next value of the batch."""
        return self._taken(self._pending.popleft())

    def take(self) -> list[T]:
        """Returns the next batch without waiting for it; nothing if there is none."""
        return [self.pop() for _ in range(len(self._pending))] if self.fill() else []

    def close(self) -> None:
        """Ends the reader, also while it waits."""
        self._closed = True
        self.waiter.end()

    @property
    def is_over(self) -> bool:
        """Whether there will be no more values."""
        return self._closed or self._source.closed or (self._ended and not self._pending)

    def batches(self) -> Iterator[Sequence[T]]:
        """The values in batches."""
        while not self.is_over:
            if self.fill():
                yield self.take()
            elif not self.is_over:
                self.waiter.wait(self.longest_wait)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while not self.is_over:
            if self.fill():
                return self.pop()
            if not self.is_over:
                self.waiter.wait(self.longest_wait)
        self.close()
        raise StopIteration

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "waiter"):
            self.waiter.end()

    @property
    def longest_wait(self) -> float:
        """Seconds between two reads, at most."""
        return INTERVAL

    def _attempted(self) -> Sequence[T]:
        """Reads the next batch. A follower waits for a server that is away, for any time."""
        if self.is_over:
            return ()
        try:
            found = self._read()
        except SchemaMismatch:
            raise
        except Unavailable as error:
            if self._source.closed:
                return ()
            if not self._follow:
                raise
            if self._complains:
                _LOGGER.warning("following goes on when the database is back: %s", error)
            self._complains = False
            return ()
        self._complains = True
        if found:
            self.waiter.found_some()
        return found
