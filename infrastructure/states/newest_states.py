"""The newest states that were read lately. The next read folds only what came after them, and what this process itself
appends is folded at once."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.records import Summary
from backstory.domain.state import ContextState

MOST_ITEMS = 200_000
"""Live items of all states together: some 100 MB."""


Memory = dict[Hashable, Any]
"""What follows from a state, and how contexts of it are asked for. It holds until a compaction's summary comes or an
item leaves or returns; a session summary that takes the place of the last one changes nothing of it."""
CHANGED, TOUCHED = "changed", "touched"
"""In a memory: the versions at which items got other contents or another count, each with the oldest of these items;
and the last version at which one was accessed or came to another tier."""
MOST_CHANGES = 64
"""That a memory has, the newest. A turn has a few."""


def changed_since(memory: Memory, version: int) -> bool:
    """Whether an item that was there at a version has got other contents or another count since then."""
    changes: tuple[tuple[int, int], ...] = memory.get(CHANGED, ())
    for oldest, at in reversed(changes):
        if at <= version:
            return False
        if oldest <= version:
            return True
    return len(changes) == MOST_CHANGES


class Known(NamedTuple):
    """Which state is held: its version, when that was recorded, and the newest version that is known to have a
    snapshot. The time tells whether the log is still the one that was read: no two events of a stream share it."""

    version: int
    recorded: int
    snapshot: int
    last_erasure: int
    lent: bool
    """Whether contexts are made of it here."""
    behind: bool
    """Whether a later version is known to be there."""


@dataclass
class _Held:
    state: ContextState
    snapshot: int
    size: int
    newest: int
    """The newest version that this process knows of."""
    lent: bool = False
    memory: Memory = field(default_factory=dict)
    readers: int = 0


class NewestStates:
    """Holds states and gives out copies, or lends a state to who only reads it. A held state is folded on in place,
    unless somebody reads it meanwhile: then a copy is, and the reader's own stays as it is."""

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
            behind = held.newest > state.version
            return Known(state.version, state.recorded, held.snapshot, state.last_erasure, held.lent, behind)

    def keep(self, state: ContextState, snapshot: int) -> None:
        """Holds a copy of a state."""
        with self._lock:
            self._forget(state.stream)
            size = len(state.items) + 100
            self._held[state.stream] = _Held(state.copy(), snapshot, size, state.version)
            self._items += size
            while self._items > self._most and len(self._held) > 1:
                self._forget(next(iter(self._held)))

    def has_snapshot(self, stream: UUID, version: int) -> None:
        with self._lock:
            if stream in self._held:
                self._held[stream].snapshot = max(version, self._held[stream].snapshot)

    def copy_of(self, stream: UUID) -> ContextState | None:
        with self._lock:
            held = self._held.get(stream)
            return None if held is None else held.state.copy()

    def go_on(self, stream: UUID, events: Sequence[Event]) -> bool:
        """Folds these events, of which it may know the first ones already. Not where they do not follow on what it
        has, or go on from elsewhere."""
        with self._lock:
            held = self._held.get(stream)
            if held is None:
                return False
            for event in events:
                if event.version <= held.state.version:
                    continue
                if event.version != held.state.version + 1 or event.effects.resumes is not None:
                    self._forget(stream)
                    return False
                held = self._evolve(held, event)
            self._held.move_to_end(stream)
            return True

    @contextmanager
    def lent(
        self, stream: UUID, most_ahead: int | None = None, *, for_context: bool = True
    ) -> Iterator[tuple[ContextState, Memory] | None]:
        """The held state and its memory, to be read until the block ends. Nobody asked the log whether it is the
        newest: what is decided on it must be appended under a guard that says so. None where none is held, or where it
        is known not to be the newest. With `most_ahead`, also where its snapshot is too far behind: then whoever reads
        the log leaves another."""
        with self._lock:
            held = self._held.get(stream)
            if held is not None:
                held.lent = held.lent or (for_context and most_ahead is not None)
                behind = held.newest > held.state.version
                if behind or (most_ahead is not None and held.state.version - held.snapshot >= most_ahead):
                    held = None
                else:
                    held.readers += 1
                    self._held.move_to_end(stream)
        if held is None:
            yield None
            return
        try:
            yield held.state, held.memory
        finally:
            with self._lock:
                held.readers -= 1

    def appended(self, event: Event) -> None:
        """Folds an event that was just appended, where nothing came between."""
        with self._lock:
            held = self._held.get(event.stream)
            if held is None:
                return
            if event.version == held.state.version + 1 and event.effects.resumes is None:
                held = self._evolve(held, event)
            held.newest = max(held.newest, event.version)

    def remember(self, stream: UUID, version: int, key: Hashable, value: Any, *, of: int) -> None:
        """Puts what was foreseen for a version into the memory of its state, where the version came to be as foreseen,
        `of` being the one that did, and the state is held."""
        with self._lock:
            held = self._held.get(stream)
            if held is not None and held.state.version == version == of:
                held.memory[key] = value

    def went_on(self, stream: UUID, version: int) -> None:
        """Notes that the session has this version by now."""
        with self._lock:
            held = self._held.get(stream)
            if held is not None:
                held.newest = max(held.newest, version)

    def _evolve(self, held: _Held, event: Event) -> _Held:
        if held.readers:
            copied = replace(held, state=held.state.copy(), memory=held.memory.copy(), readers=0)
            held = self._held[event.stream] = copied
        told = held.state.summary
        evolve(held.state, event)
        effects = event.effects
        brings_summary = effects.brings is not None and effects.brings.type == "summary"
        changes_what_is_there = brings_summary or effects.removes or effects.returns
        if changes_what_is_there and not _only_sums_up(told, held.state, event):
            held.memory.clear()
        changed = [change.item for change in (effects.extends, effects.revises) if change is not None]
        if effects.counts is not None:
            changed += effects.counts.tokens
        if changed:
            earlier = held.memory.get(CHANGED, ())[1 - MOST_CHANGES :]
            held.memory[CHANGED] = (*earlier, (min(changed), event.version))
        if effects.touches or effects.tiers:
            held.memory[TOUCHED] = event.version
        held.newest = max(held.newest, event.version)
        return held

    def _forget(self, stream: UUID) -> None:
        held = self._held.pop(stream, None)
        if held is not None:
            self._items -= held.size


def _only_sums_up(told: Summary | None, state: ContextState, event: Event) -> bool:
    """Whether all that an event does is to put a session summary in the place of the one that told of it before."""
    new = state.summary is not None and state.summary.item == event.version
    left = {item for removal in event.effects.removes for item in removal.items}
    return new and not event.effects.returns and left <= ({told.item} if told is not None else set())
