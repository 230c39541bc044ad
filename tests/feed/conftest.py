"""Readers of the feed on threads, and what they have met."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Reading:
    """Somebody who follows something on a thread of its own."""

    def __init__(self, followed: Any) -> None:
        self.followed = followed
        self.met: list[Any] = []
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for value in self.followed:
                self.met.append(value)
        except Exception as error:
            self.error = error

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    def join(self) -> None:
        self._thread.join(60)
        assert self.ended
        if self.error is not None:
            raise self.error


@contextmanager
def reading(followed: Any) -> Iterator[Reading]:
    """Follows while the block lasts; whatever the reader met with is raised at its end."""
    reader = Reading(followed)
    try:
        yield reader
    finally:
        followed.close()
        reader.join()
