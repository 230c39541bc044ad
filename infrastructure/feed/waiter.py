"""The waits of a reader of the feed: until it is notified, and never longer than an interval."""

import threading
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

SHORTEST = 0.002
INTERVAL = 1.0
UNHEARD_INTERVAL = 0.1
"""Seconds between two looks of one who cannot be told, since the listener has no connection."""


class Listening(Protocol):
    """Who tells of new events: see `Listener`."""

    @property
    def hears(self) -> bool:
        """Whether an announcement that is made now would be heard."""
        ...

    def join(self, wake: Callable[[], None], stream: UUID | None = None) -> object:
        """Has `wake` called when there may be new events."""
        ...

    def leave(self, ticket: object) -> None:
        """Has it called no more."""
        ...


class Waiter:
    """The waits of one reader. Right after something came more may follow, so that the first waits are short; each one
    that brings nothing is followed by one twice as long."""

    def __init__(self, listener: Listening, stream: UUID | None = None) -> None:
        self._listener = listener
        self._stream = stream
        self._woken = threading.Event()
        self._ticket: object | None = None
        self._ended = False
        self._pause = SHORTEST
        self.on_wake: Callable[[], None] | None = None
        """Called besides, on whatever thread it happens."""

    def found_some(self) -> None:
        """Something came."""
        self._pause = SHORTEST

    def next_pause(self, longest: float = INTERVAL) -> float:
        """Seconds to wait now, unless woken."""
        if self._ticket is None and not self._ended:
            self._ticket = self._listener.join(self.wake, self._stream)
        longest = min(longest, INTERVAL if self._listener.hears else UNHEARD_INTERVAL)
        pause = min(self._pause, longest)
        self._pause = min(2 * self._pause, INTERVAL)
        return pause

    def wait(self, longest: float = INTERVAL) -> None:
        """Until woken, or until the pause is over. What wakes between two waits ends the second one at once."""
        self._woken.wait(self.next_pause(longest))
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()
        if self.on_wake is not None:
            self.on_wake()

    def end(self) -> None:
        """Waits no more."""
        self._ended = True
        if self._ticket is not None:
            self._listener.leave(self._ticket)
        self.wake()
