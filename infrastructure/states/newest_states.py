"""A cache of the newest states of sessions, bounded by their live items.

Invariant: a cached state equals the fold of its session's log up to the state's version. Events are folded on in order,
without a gap, both those that this process appends and those that it reads. A state that may not be the newest, because
a later version is known or the log was restored, is never decided on: `borrow` withholds it, and an append under the
exact guard (version and time of the state) is refused by the database.

`copy` returns a state that the caller may change. `borrow` lends the cached one for reading, without a copy.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.state import ContextState

MOST_ITEMS = 200_000
"""Live items of all states together: some 100 MB."""


class CachedVersion(NamedTuple):
    """The version of a cached state, when that was recorded, and the newest version known to have a snapshot. The
    time tells whether the log is still the one that was read: no two events of a stream share it."""

    version: int
    recorded: int
    snapshot: int
    last_erasure: int
    behind: bool
    """Whether a later version is known to exist."""


@dataclass
class _Entry:
    state: ContextState
    snapshot: int
    size: int
    newest: int
    """The newest version that this process knows of."""
    readers: int = 0


class NewestStates:
    """The states used last. A state is folded on in place; while somebody borrows it, a copy is folded on instead, and
    the borrowed one stays as it is."""

    def __init__(self, most_items: int = MOST_ITEMS) -> None:
        self._most = most_items
        self._items = 0
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._lock = Lock()

    def version(self, stream: UUID) -> CachedVersion | None:
        """The version of the cached state, if there is one."""
        with self._lock:
            entry = self._entries.get(stream)
            if entry is None:
                return None
            state = entry.state
            return CachedVersion(
                state.version,
                state.recorded,
                entry.snapshot,
                state.last_erasure,
                entry.newest > state.version,
            )

    def copy(self, stream: UUID) -> ContextState | None:
        """A copy of the cached state, for a caller who may change it."""
        with self._lock:
            entry = self._entries.get(stream)
            return None if entry is None else entry.state.copy()

    @contextmanager
    def borrow(self, stream: UUID, most_ahead: int) -> Iterator[ContextState | None]:
        """The cached state itself, to be read and not changed until the block ends. The log was not asked whether it is
        the newest: append what is decided on it under the exact guard. None where no state is cached, where a later
        version is known, or where the state is `most_ahead` or more versions ahead of its snapshot: a caller who then
        reads the log saves another."""
        with self._lock:
            entry = self._entries.get(stream)
            if entry is not None:
                version = entry.state.version
                if entry.newest > version or version - entry.snapshot >= most_ahead:
                    entry = None
                else:
                    entry.readers += 1
                    self._entries.move_to_end(stream)
        if entry is None:
            yield None
            return
        try:
            yield entry.state
        finally:
            with self._lock:
                entry.readers -= 1

    def put(self, state: ContextState, snapshot: int) -> None:
        """Caches a copy of a state."""
        with self._lock:
            self._drop(state.stream)
            size = len(state.items) + 100
            self._entries[state.stream] = _Entry(state.copy(), snapshot, size, state.version)
            self._items += size
            while self._items > self._most and len(self._entries) > 1:
                self._drop(next(iter(self._entries)))

    def has_snapshot(self, stream: UUID, version: int) -> None:
        """Notes that there is a snapshot of this version."""
        with self._lock:
            if stream in self._entries:
                self._entries[stream].snapshot = max(version, self._entries[stream].snapshot)

    def has_version(self, stream: UUID, version: int) -> None:
        """Notes that the session has this version."""
        with self._lock:
            entry = self._entries.get(stream)
            if entry is not None:
                entry.newest = max(entry.newest, version)

    def fold(self, stream: UUID, events: Sequence[Event]) -> bool:
        """Folds events that were read, skipping those that the state has. Where they leave a gap or resume another
        version, the state is dropped. Returns whether a state is cached afterwards."""
        with self._lock:
            entry = self._entries.get(stream)
            if entry is None:
                return False
            for event in events:
                if event.version <= entry.state.version:
                    continue
                if event.version != entry.state.version + 1 or event.effects.resumes is not None:
                    self._drop(stream)
                    return False
                entry = self._evolve(entry, event)
            self._entries.move_to_end(stream)
            return True

    def appended(self, event: Event) -> None:
        """Folds an event that was just appended, if it is the next one."""
        with self._lock:
            entry = self._entries.get(event.stream)
            if entry is None:
                return
            if event.version == entry.state.version + 1 and event.effects.resumes is None:
                entry = self._evolve(entry, event)
            entry.newest = max(entry.newest, event.version)

    def _evolve(self, entry: _Entry, event: Event) -> _Entry:
        if entry.readers:
            entry = self._entries[event.stream] = replace(entry, state=entry.state.copy(), readers=0)
        evolve(entry.state, event)
        entry.newest = max(entry.newest, event.version)
        return entry

    def _drop(self, stream: UUID) -> None:
        entry = self._entries.pop(stream, None)
        if entry is not None:
            self._items -= entry.size
