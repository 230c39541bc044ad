"""What was read or made lately and cannot have changed, so that it need not be again: a shelf for each session."""

from collections import OrderedDict, deque
from collections.abc import Hashable
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.messages.contents import Message

MOST_BYTES = 64 * 2**20
MOST_OF_ONE = MOST_BYTES // 4
"""Of one session: several times what a window of 200,000 tokens needs. A session that goes on for days takes in new
things all the time, and what has left its window is not looked for again."""


class Shelf(dict[Hashable, Any]):
    """Values under keys for which they never change. Looking one up takes no lock. Once cleared away, a shelf takes no
    more: whoever still reads from it would fill it unseen."""

    size = 0
    cleared_away = False

    def __init__(self) -> None:
        super().__init__()
        # In the order in which they came. A dictionary knows that order too, but looks for its first key among the
        # places of all that have left.
        self._keys: deque[Hashable] = deque()
        self._sizes: deque[int] = deque()

    def take(self, key: Hashable, value: Any, size: int) -> None:
        self[key] = value
        self._keys.append(key)
        self._sizes.append(size)
        self.size += size

    def drop_oldest(self) -> int:
        """Lets go of what was taken in first, and returns its size."""
        size = self._sizes.popleft()
        del self[self._keys.popleft()]
        self.size -= size
        return size

    def clear_away(self) -> None:
        self.cleared_away = True
        self._keys.clear()
        self._sizes.clear()
        self.clear()


class Prepared(NamedTuple):
    """A new message, and values that follow from it: each with what it is kept under and its size."""

    message: Message
    values: tuple[tuple[Hashable, Any, int], ...]
    ahead: tuple[int, Hashable, Any] | None = None
    """What follows from the state after it, and under which key, should it become this version. Another message may
    come first, or this one be refused."""

    def keep(self, recent: "ContentCache", shelf: Shelf, version: int) -> None:
        """Puts them where the ItemReader looks for what the event of this version brought, as it is before anything
        has changed it."""
        recent.put(shelf, ("message", version), self.message, 0)
        for what, value, size in self.values:
            recent.put(shelf, (what, version, version, False), value, size)


class ContentCache:
    """The shelves of the sessions used last, up to a total size, and of each what it took in last. A session has one
    for each of its erasures, so that what was kept before the last of them is not found any more, and one for what no
    erasure touches."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_of_one: int = MOST_OF_ONE) -> None:
        self._most, self._most_of_one = most_bytes, most_of_one
        self._shelves: OrderedDict[UUID, dict[int | None, Shelf]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def shelf(self, stream: UUID, erasure: int | None = None) -> Shelf:
        with self._lock:
            own = self._shelves.setdefault(stream, {})
            self._shelves.move_to_end(stream)
            if erasure not in own:
                own[erasure] = Shelf()
            return own[erasure]

    def forget(self, stream: UUID) -> None:
        """Clears away all shelves of a session."""
        with self._lock:
            self._clear_away(self._shelves.pop(stream, {}))

    def put(self, shelf: Shelf, key: Hashable, value: Any, size: int) -> None:
        size += 200
        with self._lock:
            if key in shelf or shelf.cleared_away:
                return
            shelf.take(key, value, size)
            self._bytes += size
            while shelf.size > self._most_of_one and len(shelf) > 1:
                self._bytes -= shelf.drop_oldest()
            while self._bytes > self._most and self._shelves:
                self._clear_away(self._shelves.popitem(last=False)[1])

    def _clear_away(self, shelves: dict[int | None, Shelf]) -> None:
        for shelf in shelves.values():
            self._bytes -= shelf.size
            shelf.clear_away()
