"""The fold of a whole log, branch after branch, with little more than one state in memory.

The events that lead to the newest version are folded on one state, the current branch; those of abandoned branches on
another, beside it. So the current branch is never copied, however often the session was backtracked, and it can also
keep the items that have left every window, as the items read model does.
"""

import json
import tempfile
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from uuid import UUID

from backstory.domain.effects import Effects
from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.lineage import BranchPoint, Lineage
from backstory.domain.records import Item
from backstory.domain.state import ContextState

_ABSENT = -1

StateAt = Callable[[UUID, int], ContextState]


class GoneItems:
    """Items that have left every window, by id, in a temporary file. A long session may have a million, and eight bytes
    of each are held in memory."""

    def __init__(self) -> None:
        # Deleted when it is closed, together with this object.
        self._file = tempfile.TemporaryFile(prefix="backstory-")  # noqa: SIM115
        self._offsets = array("q")
        self._end = 0

    def __iter__(self) -> Iterator[int]:
        """The ids, in order."""
        return (item for item, offset in enumerate(self._offsets) if offset != _ABSENT)

    def put(self, item: Item) -> None:
        self._offsets.extend([_ABSENT] * (item.id + 1 - len(self._offsets)))
        line = json.dumps(item, separators=(",", ":")).encode() + b"\n"
        self._file.seek(self._end)
        self._file.write(line)
        self._offsets[item.id] = self._end
        self._end += len(line)

    def pop(self, item: int) -> Item | None:
        """Removes an item and returns it. None if it is not here."""
        if not 0 <= item < len(self._offsets) or self._offsets[item] == _ABSENT:
            return None
        self._file.seek(self._offsets[item])
        self._offsets[item] = _ABSENT
        return Item.from_row(json.loads(self._file.readline()))

    def __del__(self) -> None:
        self._file.close()


class CurrentBranch:
    """The state of the current branch. With `keeps_gone` also the items that have left it, for a comparison with the
    items read model."""

    def __init__(self, *, keeps_gone: bool = True) -> None:
        self._keeps_gone = keeps_gone
        self.state: ContextState | None = None
        self.gone = GoneItems()

    def begin(self, root: ContextState) -> None:
        """Begins with a state of another stream. Items that had left its windows are not kept."""
        self.state = root
        self.gone = GoneItems()

    def evolve(self, event: Event) -> ContextState:
        if not self._keeps_gone:
            self.state = evolve(self.state, event)
            return self.state
        named = _items_in(event.effects)
        if self.state is not None:
            for item in named:
                if (gone := self.gone.pop(item)) is not None:
                    self.state.items[item] = gone
        self.state = evolve(self.state, event, keep_removed=True)
        for item in named | {event.version}:
            kept = self.state.items.get(item)
            if kept is not None and not kept.windows:
                self.gone.put(self.state.items.pop(item))
        return self.state


class BranchReplay:
    """The states of a stream's log, one version after the other."""

    def __init__(
        self,
        stream: UUID,
        branch_points: list[BranchPoint],
        branch: Lineage,
        root: StateAt,
        *,
        keeps_gone: bool = True,
    ) -> None:
        self.current = CurrentBranch(keeps_gone=keeps_gone)
        self._stream = stream
        self._root = root
        own = [range_ for range_ in branch if range_.stream == stream]
        self._firsts = [range_.first for range_ in own]
        self._lasts = [range_.last for range_ in own]
        self._side: ContextState | None = None
        self._resumed_versions = Counter(
            point.resumed_version
            for point in branch_points
            if point.resumed_stream == stream and not self._on_branch(point.version)
        )
        self._kept: dict[int, bytes] = {}

    def evolve(self, event: Event) -> ContextState:
        """The state after the next event, as reads give it."""
        resumes = event.effects.resumes
        if self._on_branch(event.version):
            if resumes is not None and resumes.stream != self._stream:
                self.current.begin(self._root(resumes.stream, resumes.version))
            self._side = None
            state = self.current.evolve(event)
        else:
            if resumes is not None:
                self._side = self._resumed(resumes.stream, resumes.version)
            elif self._side is None and self.current.state is not None:
                self._side = self.current.state.copy()
            state = self._side = evolve(self._side, event)
        if event.version in self._resumed_versions:
            self._kept[event.version] = state.encode()
        return state

    def _on_branch(self, version: int) -> bool:
        index = bisect_right(self._firsts, version) - 1
        return index >= 0 and version <= self._lasts[index]

    def _resumed(self, stream: UUID, version: int) -> ContextState:
        """The state that an abandoned branch began with. It is kept encoded, until its last use."""
        if stream != self._stream:
            return self._root(stream, version)
        state = ContextState.decode(self._kept[version])
        self._resumed_versions[version] -= 1
        if not self._resumed_versions[version]:
            del self._resumed_versions[version], self._kept[version]
        return state


def _items_in(effects: Effects) -> set[int]:
    """Every item that an event's effects name."""
    named = {*effects.touches}
    named.update(*(removal.items for removal in effects.removes), *(back.items for back in effects.returns))
    named.update(*effects.tiers.values())
    if effects.counts is not None:
        named.update(effects.counts.tokens)
    if effects.judges is not None:
        named.update(effects.judges.items)
    named.update(verb.item for verb in (effects.extends, effects.revises) if verb is not None)
    return named
