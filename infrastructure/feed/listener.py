"""Hearing of new events: one connection and one thread for all who wait in a process, however many they are."""

import select
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

import psycopg

from backstory.infrastructure.feed.announcer import streams_in
from backstory.infrastructure.postgres.queries import query

_PAUSE = 0.1
_LONGEST_PAUSE = 1.0

Wake = Callable[[], None]


class Listener:
    """Wakes whoever waits for events, from when the first one waits until the last one has gone.

    An announcement may be lost, with the connection or without: nobody may rely on being woken, only wait less.
    """

    def __init__(self, url: str, settings: Mapping[str, Any] | None = None) -> None:
        self._url = url
        self._settings = {**(settings or {}), "autocommit": True}
        self._lock = threading.Lock()
        self._waiting: dict[object, tuple[UUID | None, Wake]] = {}
        self._thread: threading.Thread | None = None
        self._bell: socket.socket | None = None
        self._closed = False
        self._hearing: threading.Thread | None = None

    @property
    def hears(self) -> bool:
        """Whether an announcement that is made now would be heard."""
        return self._hearing is not None and self._hearing is self._thread

    def join(self, wake: Wake, stream: UUID | None = None) -> object:
        """Has `wake` called, on the listener's thread, when there may be new events: of a stream, or any. It is also
        called when listening begins, since nobody knows what was said before. `leave` takes what this returns."""
        ticket = object()
        with self._lock:
            self._waiting[ticket] = (stream, wake)
            if self._thread is None and not self._closed:
                self._start()
        return ticket

    def leave(self, ticket: object) -> None:
        with self._lock:
            if self._waiting.pop(ticket, None) is not None and not self._waiting:
                self._stop()

    def close(self) -> None:
        """Ends the thread, and wakes all who wait so that they see it."""
        with self._lock:
            self._closed = True
            thread = self._thread
            self._stop()
        if thread is not None:
            thread.join()
        self._wake_all()

    def _start(self) -> None:
        self._bell, told = socket.socketpair()
        self._thread = threading.Thread(
            target=self._run, args=(told,), name="backstory-listener", daemon=True
        )
        self._thread.start()

    def _stop(self) -> None:
        if self._bell is not None:
            self._bell.close()
        self._bell = self._thread = None

    def _run(self, told: socket.socket) -> None:
        """Listens until the other end of `told` is closed."""
        pause = _PAUSE
        with told:
            while not _readable(0, told):
                try:
                    with psycopg.connect(self._url, **self._settings) as connection:
                        connection.execute(query("listen"))
                        self._hearing = threading.current_thread()
                        self._wake_all()
                        pause = _PAUSE
                        self._listen(connection, told)
                except psycopg.Error:
                    # The server is gone or refuses us. Those who wait look for themselves meanwhile.
                    self._forget()
                    if _readable(pause, told):
                        return
                    pause = min(2 * pause, _LONGEST_PAUSE)
                finally:
                    self._forget()

    def _forget(self) -> None:
        # Another thread may have begun since this one was told to end.
        if self._hearing is threading.current_thread():
            self._hearing = None

    def _listen(self, connection: psycopg.Connection, told: socket.socket) -> None:
        while True:
            if told in _readable(None, told, connection):
                return
            streams: set[UUID] | None = set()
            for heard in connection.notifies(timeout=0):
                named = streams_in(heard.payload)
                streams = None if named is None or streams is None else streams | named
            if streams is None:
                self._wake_all()
            elif streams:
                self._wake(streams)

    def _wake_all(self) -> None:
        for _, wake in self._waiters():
            wake()

    def _wake(self, streams: set[UUID]) -> None:
        for stream, wake in self._waiters():
            if stream is None or stream in streams:
                wake()

    def _waiters(self) -> list[tuple[UUID | None, Wake]]:
        with self._lock:
            return list(self._waiting.values())


def _readable(seconds: float | None, *sources: socket.socket | psycopg.Connection) -> list[object]:
    """Those that have something to read, waited for so long, or for ever."""
    poll = select.poll()
    by_number = {source.fileno(): source for source in sources}
    for number in by_number:
        poll.register(number, select.POLLIN)
    return [by_number[number] for number, _ in poll.poll(None if seconds is None else seconds * 1000)]
