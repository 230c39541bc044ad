"""Folding a whole log, branch after branch, while holding little more than one state.

The events that lead to the newest version are folded on one state, the trunk; those of abandoned branches on
another, beside it. So the trunk never has to be copied, however often the session was backtracked, and it can
remember what the items read model does: items that have left every window.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from uuid import UUID

from backstory.application.integrity.gone_items import GoneItems
from backstory.domain.effects import Effects
from backstory.domain.events import Event
from backstory.domain.fold.evolve import evolve
from backstory.domain.log.lineage import BranchPoint, Lineage
from backstory.domain.state import ContextState

Root = Callable[[UUID, int], ContextState]


class CurrentBranch:
    """The state of the current branch and, beside it, the items that are no longer part of it: for whoever compares
    them with the read model. They grow with the history, so that they are kept in a file, and others do without."""

    def __init__(self, *, remembers: bool = True) -> None:
        self._remembers = remembers
        self.state: ContextState | None = None
        self.gone = GoneItems()

    def begin(self, root: ContextState) -> None:
        """Goes on from a state in another stream. What had left the windows there is not remembered here."""
        self.state = root
        self.gone = GoneItems()

    def evolve(self, event: Event) -> ContextState:
        if not self._remembers:
            self.state = evolve(self.state, event)
            return self.state
        named = _items_in(event.effects)
        if self.state is not None:
            for item in named:
                if (gone := self.gone.pop(item)) is not None:
                    self.state.items[item] = gone
        self.state = evolve(self.state, event, keep_removed=True)
        for item in named | {event.version}:
            found = self.state.items.get(item)
            if found is not None and not found.windows:
                self.gone.put(self.state.items.pop(item))
        return self.state


class BranchReplay:
    """States of a stream's log, one version after the other."""

    def __init__(
        self, stream: UUID, seams: list[BranchPoint], branch: Lineage, root: Root, *, remembers: bool = True
    ) -> None:
        self.trunk = CurrentBranch(remembers=remembers)
        self._stream = stream
        self._root = root
        own = [piece for piece in branch if piece.stream == stream]
        self._firsts = [piece.first for piece in own]
        self._lasts = [piece.last for piece in own]
        self._side: ContextState | None = None
        self._wanted = Counter(
            seam.resumed_version
            for seam in seams
            if seam.resumed_stream == stream and not self._on_branch(seam.version)
        )
        self._kept: dict[int, bytes] = {}

    def evolve(self, event: Event) -> ContextState:
        """The state after the next event, as reads give it."""
        resumes = event.effects.resumes
        if self._on_branch(event.version):
            if resumes is not None and resumes.stream != self._stream:
                self.trunk.begin(self._root(resumes.stream, resumes.version))
            self._side = None
            state = self.trunk.evolve(event)
        else:
            if resumes is not None:
                self._side = self._resumed(resumes.stream, resumes.version)
            elif self._side is None and self.trunk.state is not None:
                self._side = self.trunk.state.copy()
            state = self._side = evolve(self._side, event)
        if event.version in self._wanted:
            self._kept[event.version] = state.encode()
        return state

    def _on_branch(self, version: int) -> bool:
        place = bisect_right(self._firsts, version) - 1
        return place >= 0 and version <= self._lasts[place]

    def _resumed(self, stream: UUID, version: int) -> ContextState:
        """The state that an abandoned branch went on from. It is kept packed, and only until it is needed
        last."""
        if stream != self._stream:
            return self._root(stream, version)
        state = ContextState.decode(self._kept[version])
        self._wanted[version] -= 1
        if not self._wanted[version]:
            del self._wanted[version], self._kept[version]
        return state


def _items_in(effects: Effects) -> set[int]:
    """Every item that an event's effects name."""
    named = {*effects.touches}
    named.update(*(removal.items for removal in effects.removes), *(back.items for back in effects.returns))
    named.update(*effects.tiers.values())
    if effects.counts is not None:
        named.update(effects.counts.tokens)
    named.update(verb.item for verb in (effects.extends, effects.revises) if verb is not None)
    return named
