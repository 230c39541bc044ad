"""NOTIFY after commit: readers of the feed hear of new events without asking all the time.

Never inside the append: a transaction that notifies holds a lock of the whole database through its commit, and writers
would queue up behind it. One announcement stands for all appends of a short while, and may be lost; a reader's own poll
is behind it. It names the streams that were written to, so that whoever follows one session is not woken by all others.
"""

import threading
from collections import deque
from collections.abc import Callable
from uuid import UUID

INTERVAL = 0.05
"""Seconds between two announcements of one process."""
MOST_NAMED = 200
"""Streams that an announcement names. A payload has room for 8,000 bytes; one that would name more names none."""


def said_of(streams: set[UUID] | None) -> str:
    """An announcement of events in these streams, or in any."""
    if streams is None or len(streams) > MOST_NAMED:
        return ""
    return " ".join(stream.hex for stream in streams)


def streams_in(said: str) -> set[UUID] | None:
    """The streams that an announcement names; None when it may be any, as it is in one that cannot be read."""
    try:
        return {UUID(hex=name) for name in said.split()} or None
    except ValueError:
        return None


class Announcer:
    """Says that there are new events, soon after they are committed, on a thread of its own."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._news = threading.Event()
        self._stopped = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._written: deque[UUID | None] = deque()

    def appended(self, stream: UUID | None = None) -> None:
        """To be called after each commit, with the stream that was written to if it was one. Costs next to nothing."""
        self._written.append(stream)
        if not self._news.is_set():
            self._news.set()
        if self._thread is None:
            self._start()

    def stop(self) -> None:
        """Announces what is left and ends the thread."""
        self._stopped.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="backstory-announcer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._news.wait()
            self._news.clear()
            self._announce()
            self._stopped.wait(INTERVAL)
        self._announce()

    def _announce(self) -> None:
        written: set[UUID | None] = set()
        while self._written:
            written.add(self._written.popleft())
        if written:
            self._send(said_of({stream for stream in written if stream} if None not in written else None))
