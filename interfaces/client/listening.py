"""Hearing of new events from a service: one stream of server-sent events for each who waits."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol
from uuid import UUID

from backstory.domain.errors import BackstoryError

_PAUSE = 0.2
_LONGEST_PAUSE = 5.0
_SILENCE = 60.0
"""Seconds without a sign of life after which a stream is taken for lost. Services send one every few seconds."""


class Streaming(Protocol):
    """A connection that has streams."""

    def stream(self, method: str, path: str, *, timeout: float | None) -> AbstractContextManager[Any]:
        """An answer that is read as it comes."""
        ...


class LiveListener:
    """Wakes whoever waits for events. What is sent is not read here, only that it was: readers ask for what is new
    after the last version that they have, so nothing is missed when a stream is lost."""

    def __init__(self, connection: Streaming) -> None:
        self._connection = connection
        self._streams: dict[object, _Stream] = {}
        self._lock = threading.Lock()
        self._closed = False

    @property
    def hears(self) -> bool:
        """Whether all who wait would hear of a new event."""
        with self._lock:
            return all(stream.hears for stream in self._streams.values())

    def join(self, wake: Callable[[], None], stream: UUID | None = None) -> object:
        """Has `wake` called when there may be new events: of a session, or any."""
        ticket = object()
        with self._lock:
            if not self._closed:
                path = "/live" if stream is None else f"/sessions/{stream}/live"
                self._streams[ticket] = _Stream(self._connection, path, wake)
        return ticket

    def leave(self, ticket: object) -> None:
        """Has it called no more."""
        with self._lock:
            stream = self._streams.pop(ticket, None)
        if stream is not None:
            stream.close()

    def close(self) -> None:
        """Ends all streams, and wakes all who wait so that they see it."""
        with self._lock:
            self._closed = True
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.close()
            stream.wake()


class _Stream:
    """One stream, on a thread of its own. It is opened again when it is lost."""

    def __init__(self, connection: Streaming, path: str, wake: Callable[[], None]) -> None:
        self._connection = connection
        self._path = path
        self.wake = wake
        self.hears = False
        self._ended = threading.Event()
        self._response: Any = None
        threading.Thread(target=self._run, name="backstory-live", daemon=True).start()

    def close(self) -> None:
        """Ends it, also while it waits for the service."""
        self._ended.set()
        response = self._response
        if response is not None:
            response.close()

    def _run(self) -> None:
        pause = _PAUSE
        while not self._ended.is_set():
            try:
                with self._connection.stream("GET", self._path, timeout=_SILENCE) as response:
                    self._response = response
                    self.hears = True
                    pause = _PAUSE
                    # Nobody knows what was sent before.
                    self.wake()
                    for line in response.iter_lines():
                        if self._ended.is_set():
                            return
                        if line.startswith("data:"):
                            self.wake()
            except (BackstoryError, RuntimeError, OSError, AttributeError):
                pass
            finally:
                self.hears, self._response = False, None
            self._ended.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
