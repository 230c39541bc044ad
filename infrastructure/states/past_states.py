"""States of the past that were read lately, for those who look at one again. They never change, nor may their readers
change them."""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from backstory.domain.state import ContextState

MOST_ITEMS = 50_000
"""Live items of all states together: some 25 MB."""


class PastStates:
    """The states used last, up to a total size."""

    def __init__(self, most_items: int = MOST_ITEMS) -> None:
        self._most = most_items
        self._items = 0
        self._kept: OrderedDict[tuple[UUID, int], ContextState] = OrderedDict()
        self._lock = Lock()

    def get(self, stream: UUID, version: int) -> ContextState | None:
        with self._lock:
            found = self._kept.get((stream, version))
            if found is not None:
                self._kept.move_to_end((stream, version))
            return found

    def keep(self, stream: UUID, version: int, state: ContextState) -> None:
        with self._lock:
            before = self._kept.pop((stream, version), None)
            self._kept[stream, version] = state
            self._items += _size(state) - (0 if before is None else _size(before))
            while self._items > self._most and len(self._kept) > 1:
                self._items -= _size(self._kept.popitem(last=False)[1])


def _size(state: ContextState) -> int:
    return len(state.items) + 100
