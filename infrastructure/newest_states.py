"""The newest states that were read lately. The next read folds only what came after them, and what this process itself
appends is folded at once."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from backstory.domain.events import Event
from backstory.domain.fold import evolve
from backstory.domain.state import ContextState

MOST_ITEMS = 200_000
"""Live items of all states together: some 100 MB."""


class Known(NamedTuple):
    """Which state is held: its version, when that was recorded, and the newest version that is known to have a
    snapshot. The time tells whether the log is still the one that was read: no two events of a stream share it."""

    version: int
    recorded: int
    snapshot: int
    last_erasure: int


@dataclass
class _Held:
    state: ContextState
    snapshot: int
    size: int


class NewestStates:
    """Holds states and gives out copies. A held state is folded on in place, one at a time."""

    def __init__(self, most_items: int = MOST_ITEMS) -> None:
        self._most = most_items
        self._items = 0
        self._held: OrderedDict[UUID, _Held] = OrderedDict()
        self._lock = Lock()

    def known(self, stream: UUID) -> Known | None:
        with self._lock:
            held = self._held.get(stream)
            if held is None:
                return None
            state = held.state
            return Known(state.version, state.recorded, held.snapshot, state.last_erasure)

    def keep(self, state: ContextState, snapshot: int) -> None:
        """Holds a copy of a state."""
        with self._lock:
            self._forget(state.stream)
            size = len(state.items) + 100
            self._held[state.stream] = _Held(state.copy(), snapshot, size)
            self._items += size
            while self._items > self._most and len(self._held) > 1:
                self._forget(next(iter(self._held)))

    def has_snapshot(self, stream: UUID, version: int) -> None:
        with self._lock:
            if stream in self._held:
                self._held[stream].snapshot = max(version, self._held[stream].snapshot)

    def go_on(self, stream: UUID, events: Sequence[Event]) -> ContextState | None:
        """A copy of the state after these events, of which it may know the first ones already; None where they do
        not follow on it, or go on from elsewhere."""
        with self._lock:
            held = self._held.get(stream)
            if held is None:
                return None
            for event in events:
                if event.version <= held.state.version:
                    continue
                if event.version != held.state.version + 1 or event.effects.resumes is not None:
                    self._forget(stream)
                    return None
                evolve(held.state, event)
            self._held.move_to_end(stream)
            return held.state.copy()

    def appended(self, event: Event) -> None:
        """Folds an event that was just appended, where nothing came between."""
        with self._lock:
            held = self._held.get(event.stream)
            follows = held is not None and event.version == held.state.version + 1
            if held is not None and follows and event.effects.resumes is None:
                evolve(held.state, event)

    def _forget(self, stream: UUID) -> None:
        held = self._held.pop(stream, None)
        if held is not None:
            self._items -= held.size
