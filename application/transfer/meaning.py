"""The second reading of an export: the fold of its events, held against the states that were noted, and every recorded
context made again on the state that it shows."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from backstory.branch_replay import BranchReplay
from backstory.domain.assembly.material import Material
from backstory.domain.contents import Message
from backstory.domain.errors import BackstoryError, ContentErased
from backstory.domain.events import ContextAssembled
from backstory.domain.fold import FOLD_VERSION
from backstory.domain.lineage import Lineage
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.window.stubs import stubbed
from backstory.remaking import make_again
from backstory.said import message_of
from backstory.transfer.family import Family, Held, Stream
from backstory.transfer.inspection import Flaw

T = TypeVar("T")
MOST_KEPT = 16 * 2**20
"""Bytes of contents that are kept for the next context: it mostly shows what the last one did."""


def _small(value: object) -> int:
    return 1_000


class Meaning:
    """What the events of an export come to."""

    def __init__(self, family: Family, *, contexts: bool = True) -> None:
        self.family = family
        self.states = self.contexts = self.contexts_erased = 0
        self._with_contexts = contexts
        self._shelf = _Shelf(family)
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._compares = family.header.fold == FOLD_VERSION

    def run(self) -> "Meaning":
        wanted = self.family.resumed_elsewhere()
        for stream in self.family.streams.values():
            self._replay(stream, wanted[stream.id])
        return self

    def _replay(self, stream: Stream, wanted: set[int]) -> None:
        branch = self.family.lineage(stream.id, stream.note.last)
        replay = BranchReplay(stream.id, stream.seams, branch, self._root, remembers=False)
        for version, place in enumerate(stream.offsets, stream.note.first):
            try:
                state = replay.evolve(self.family.event_at(stream.id, place))
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise self._flaw(place, f"event {version}", f"cannot be folded: {error!r}", stream) from None
            if version in wanted:
                self._roots[stream.id, version] = state.encode()
            noted = stream.states.get(version)
            if noted is not None and self._compares:
                if noted != state.digest():
                    raise self._flaw(place, f"state {version}", "is not what the events come to", stream)
                self.states += 1
            if self._with_contexts:
                for owner, at in stream.contexts.get(version, ()):
                    self._make_again(owner, at, state)

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _make_again(self, stream: UUID, version: int, state: ContextState) -> None:
        owner = self.family.streams[stream]
        event = self.family.held(stream, version).event
        assert isinstance(event.body, ContextAssembled)
        gatherer = FileGatherer(self._shelf, self.family.lineage(state.stream, state.version), state)
        try:
            made = make_again(gatherer, event.body)
        except (BackstoryError, LookupError, TypeError, ValueError, AttributeError) as error:
            what = f"cannot be made again: {error!r}"
            raise self._flaw(owner.offset(version), f"context {version}", what, owner) from None
        if isinstance(made, dict):
            self.contexts_erased += 1
        elif hashlib.sha256(made.data).hexdigest() != event.body.prompt_sha256:
            what = "has another hash when it is made again"
            raise self._flaw(owner.offset(version), f"context {version}", what, owner)
        else:
            self.contexts += 1

    def _flaw(self, place: int, where: str, what: str, stream: Stream) -> Flaw:
        return Flaw(self.family.file.line_number(place), f"{where} of {stream.id}", what)


class _Shelf:
    """What was read from the file or made of it lately."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def held(self, stream: UUID, version: int) -> Held:
        return self.get(
            (stream, version),
            lambda: self.family.held(stream, version),
            lambda held: 1_000 + sum(map(len, held.contents.values())),
        )

    def get(self, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        if key in self._kept:
            self._kept.move_to_end(key)
            value: T = self._kept[key][0]
            return value
        made = make()
        self._kept[key] = (made, size(made))
        self._bytes += self._kept[key][1]
        while self._bytes > MOST_KEPT:
            self._bytes -= self._kept.popitem(last=False)[1][1]
        return made

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept


class FileGatherer:
    """Fills a material from the file, as `gathering.Gatherer` does from a database."""

    def __init__(self, shelf: _Shelf, branch: Lineage, state: ContextState) -> None:
        self._shelf = shelf
        self._branch = branch
        self.material = Material(state)
        self.erased: set[int] = set()

    def items(self, wanted: Iterable[int]) -> None:
        state = self.material.state
        for item in [state.items[item] for item in wanted if item in state.items]:
            if item.id in self.material.messages or item.id in self.erased:
                continue
            for version in item.versions:
                self.material.events[version] = self._held(version).event
            try:
                messages = tuple(self._message(version) for version in item.versions)
            except ContentErased:
                self.erased.add(item.id)
                continue
            self.material.messages[item.id] = stubbed(item, messages) if item.is_stub else messages

    def versions(self, wanted: Iterable[int]) -> None:
        for version in wanted:
            event, contents = self._held(version)
            self.material.events[version] = event
            for part, data in contents.items():
                self.material.texts[version, part] = data.decode(errors="replace")

    def kept_of(
        self,
        items: Sequence[Item],
        what: Hashable,
        make: Callable[[Item], T],
        size: Callable[[T], int] = _small,
    ) -> dict[int, T]:
        self.items(item.id for item in items if self._key(item, what) not in self._shelf)
        return {
            item.id: self._shelf.get(self._key(item, what), partial(make, item), size)
            for item in items
            if item.id not in self.erased
        }

    def _key(self, item: Item, what: Hashable) -> Hashable:
        return (what, self._branch.owner(item.id), item.id, item.changed, item.is_stub)

    def _held(self, version: int) -> Held:
        return self._shelf.held(self._branch.owner(version), version)

    def _message(self, version: int) -> Message:
        event, contents = self._held(version)
        return message_of(event, {(version, part): data for part, data in contents.items()})
