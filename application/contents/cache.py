"""A cache of contents and of values derived from one item, bounded by size.

Invariant: an entry never changes for its key. The key holds all that the value depends on: the session, its last
erasure (`ContextState.last_erasure`, which a backtrack moves on; 0 for what no erasure touches), and what the caller
adds: the version of an event, or an item with the version that changed it last. After an erasure the key is another, so
erased text is not found again. What a fork inherits can be erased without a trace in the fork's own log: never put
here. Where a session's log may be another than the one that was read, `forget` drops the session's entries.
"""

from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterable
from threading import Lock
from typing import Any
from uuid import UUID

MOST_BYTES = 16 * 2**20
"""Several windows of 200,000 tokens."""
ENTRY_BYTES = 200
"""The size of an entry besides its value."""


class ContentCache:
    """The entries used last, of all sessions together."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._bytes = 0
        # By the session's number: a UUID is hashed in Python, hundreds of times in a call.
        self._entries: OrderedDict[tuple[int, int, Hashable], tuple[Any, int]] = OrderedDict()
        self._sessions: Counter[int] = Counter()
        self._lock = Lock()

    def get(self, stream: UUID, erasure: int, key: Hashable) -> Any:
        """The value under a key, or None."""
        return self.get_all(stream, erasure, (key,))[0]

    def get_all(self, stream: UUID, erasure: int, keys: Iterable[Hashable]) -> list[Any]:
        """The value under each of the keys, or None."""
        entries, session = self._entries, stream.int
        values: list[Any] = []
        with self._lock:
            for key in keys:
                whole = (session, erasure, key)
                entry = entries.get(whole)
                if entry is None:
                    values.append(None)
                else:
                    entries.move_to_end(whole)
                    values.append(entry[0])
        return values

    def put(self, stream: UUID, erasure: int, key: Hashable, value: Any, size: int) -> None:
        """Keeps a value of about this many bytes, and evicts those used longest ago."""
        size, session = size + ENTRY_BYTES, stream.int
        with self._lock:
            if (session, erasure, key) in self._entries:
                return
            self._entries[session, erasure, key] = (value, size)
            self._sessions[session] += 1
            self._bytes += size
            while self._bytes > self._most:
                (oldest, _, _), (_, freed) = self._entries.popitem(last=False)
                self._removed(oldest, freed)

    def forget(self, stream: UUID) -> None:
        """Drops all entries of a session."""
        session = stream.int
        with self._lock:
            if session not in self._sessions:
                return
            for key in [key for key in self._entries if key[0] == session]:
                self._removed(session, self._entries.pop(key)[1])

    def _removed(self, session: int, size: int) -> None:
        self._bytes -= size
        self._sessions[session] -= 1
        if not self._sessions[session]:
            del self._sessions[session]
