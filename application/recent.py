"""What was read or made lately and cannot have changed, so that it need not be again: a shelf for each session."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any
from uuid import UUID

MOST_BYTES = 64 * 2**20


class Shelf(dict[Hashable, Any]):
    """Values under keys for which they never change. Looking one up takes no lock. Once cleared away, a shelf takes no
    more: whoever still reads from it would fill it unseen."""

    size = 0
    cleared_away = False


class Recent:
    """The shelves used last, up to a total size. A session has one for each of its erasures, so that what was kept
    before the last of them is not found any more, and one for what no erasure touches."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._shelves: OrderedDict[tuple[UUID, int | None], Shelf] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def shelf(self, stream: UUID, erasure: int | None = None) -> Shelf:
        key = (stream, erasure)
        with self._lock:
            found = self._shelves.get(key)
            if found is None:
                found = self._shelves[key] = Shelf()
            else:
                self._shelves.move_to_end(key)
            return found

    def put(self, shelf: Shelf, key: Hashable, value: Any, size: int) -> None:
        size += 200
        with self._lock:
            if key in shelf or shelf.cleared_away:
                return
            shelf[key] = value
            shelf.size += size
            self._bytes += size
            while self._bytes > self._most and self._shelves:
                _, oldest = self._shelves.popitem(last=False)
                self._bytes -= oldest.size
                oldest.cleared_away = True
                oldest.clear()
