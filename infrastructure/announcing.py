"""NOTIFY after commit: readers of the feed hear of new events without asking all the time.

Never inside the append: a transaction that notifies holds a lock of the whole database through its commit, and writers
would queue up behind it. One announcement stands for all appends of a short while, and may be lost; a reader's own poll
is behind it.
"""

import threading
from collections.abc import Callable

INTERVAL = 0.05
"""Seconds between two announcements of one process."""


class Announcer:
    """Says that there are new events, soon after they are committed, on a thread of its own."""

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send
        self._news = threading.Event()
        self._stopped = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def appended(self) -> None:
        """To be called after each commit. Costs next to nothing."""
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
            self._send()
            self._stopped.wait(INTERVAL)
