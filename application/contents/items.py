"""Reads what a context needs: events and contents of the branch, those of the session's own only once."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from backstory.application.contents.cache import Shelf
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.said import message_of
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.window.stubs import stubbed

T = TypeVar("T")
Held = tuple[Event, dict[int, bytes]]


def _small(value: object) -> int:
    return 100


def _size_of(messages: tuple[Message, ...]) -> int:
    return 1_000 + sum(len(part.data) for message in messages for part in message.parts)


class ItemReader:
    """Fills a material with what items say at a state. `erasure` is the session's last erasure, as its newest state has
    it: until the next one, what was read before is not read again. Without it everything is read anew, and so is at
    any time what a fork has inherited, which can be erased without the fork's log saying so."""

    def __init__(
        self, runtime: Runtime, stream: UUID, state: ContextState, *, erasure: int | None, whole: bool = False
    ) -> None:
        """With `whole`, tool exchanges say their results also where a window shows stubs."""
        self.runtime = runtime
        self.stream = stream
        self._whole = whole
        self._shelf = runtime.recent.shelf(stream, erasure) if erasure is not None else Shelf()
        pieces = self.branch = self._branch(stream, state)
        self.reader = ContentReader(runtime, pieces)
        self._own = [piece for piece in pieces if erasure is not None and piece.stream == stream]
        self.inherits = len(self._own) < len(pieces)
        """Whether something is read here that another session's log tells of."""
        self._newest_own = self._own[-1] if self._own else VersionRange(stream, 1, 0)
        self._held: dict[int, Held] = {}
        self._found: dict[Hashable, Any] = {}
        self.material = LoadedItems(state)
        self.erased: set[int] = set()

    def _branch(self, stream: UUID, state: ContextState) -> Lineage:
        """What leads to the state. In one epoch nothing changes but its end."""
        if state.stream != stream:
            # A version that a fork has inherited: its epochs are the parent's.
            return self.runtime.reader.lineage(stream, state.version)
        shelf, key = self.runtime.recent.shelf(stream), ("branch", state.epoch)
        known: Lineage | None = shelf.get(key)
        if known is None or not known[-1].first <= state.version:
            known = self.runtime.reader.lineage(stream, state.version)
            self.runtime.recent.put(shelf, key, known, 100 * len(known))
        return Lineage((*known[:-1], known[-1]._replace(last=state.version)))

    def foresee(self, event: Event, message: Message, values: Iterable[tuple[Hashable, Any, int]]) -> None:
        """Has the message of an event that is still being written, and values that follow from it. Nothing of it is
        kept for others: it may not come to be."""
        version = event.version
        self._own = [piece._replace(last=min(piece.last, version - 1)) for piece in self._own]
        self._newest_own = self._own[-1]
        self.material.messages[version] = (message,)
        self.material.events[version] = event
        for what, value, _ in values:
            self._found[what, version, version, False] = value

    def items(self, wanted: Iterable[int]) -> None:
        """Reads what these items say, those that are live or that the material has although they have left. Those of
        which something was erased are in `erased`."""
        material = self.material
        items = [item for item in material.items_of(wanted) if item.id not in material.messages]
        material.messages.update(self.said(items))
        for item in items:
            for version in item.versions:
                material.events[version] = self._held[version][0]

    def said(self, items: Sequence[Item]) -> dict[int, tuple[Message, ...]]:
        """What items say, also those that are not live. Those of which something was erased are in `erased`."""
        self._fetch(version for item in items for version in item.versions)
        said = {}
        for item in items:
            found = self._said(item)
            if found is None:
                self.erased.add(item.id)
            else:
                said[item.id] = found
        return said

    def versions(self, wanted: Iterable[int]) -> None:
        """Reads the events of these versions and their texts."""
        versions = list(wanted)
        self._fetch(versions)
        for version in versions:
            event, contents = self._held[version]
            self.material.events[version] = event
            for part, data in contents.items():
                self.material.texts[version, part] = data.decode(errors="replace")

    def _said(self, item: Item) -> tuple[Message, ...] | None:
        try:
            messages = tuple([self._message(version) for version in item.versions])
        except ContentErased:
            return None
        return messages if self._whole or not item.is_stub else self._stub_of(item, messages)

    def as_stub(self, item: Item) -> tuple[Message, ...]:
        """What an exchange that was read says with its results left out. Kept for when it is shown so."""
        return self._stub_of(item, self.material.messages[item.id])

    def _stub_of(self, item: Item, messages: Sequence[Message]) -> tuple[Message, ...]:
        return self._kept(
            item, ("stub", item.id, item.changed, True), lambda: stubbed(item, messages), _size_of
        )

    def _message(self, version: int) -> Message:
        known: Message | None = self._shelf.get(("message", version))
        if known is None:
            event, contents = self._held[version]
            known = message_of(event, {(version, part): data for part, data in contents.items()})
            if self._is_own(version):
                self.runtime.recent.put(self._shelf, ("message", version), known, 0)
        return known

    def keeps(self, item: Item, what: Hashable) -> bool:
        """Whether the value is made. If so `kept` has it from now on, whatever the shelf lets go of meanwhile."""
        key = self._key_of(item, what)
        known = self._shelf.get(key)
        if known is not None:
            self._found[key] = known
        return known is not None

    def kept(self, item: Item, what: Hashable, make: Callable[[], T], size: Callable[[T], int] = _small) -> T:
        """A value that follows from an item as it is now, made once."""
        return self._kept(item, self._key_of(item, what), make, size)

    def _kept(self, item: Item, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        known: T | None = self._found.get(key)
        if known is None:
            known = self._shelf.get(key)
        if known is None:
            known = make()
            if self._is_own(item.id):
                self.runtime.recent.put(self._shelf, key, known, size(known))
        return known

    def kept_of(
        self,
        items: Sequence[Item],
        what: Hashable,
        make: Callable[[Item], T],
        size: Callable[[T], int] = _small,
    ) -> dict[int, T]:
        """The values that follow from these items, in their order, each made once. What is needed of those that are
        not made yet is read at once; those of which something was erased have none."""
        find, whole = self._shelf.get, self._whole
        found: dict[int, T] = {}
        new: list[Item] = []
        for item in items:
            # As in `_key_of`, which a call for each of hundreds would take longer than the rest.
            stub = item.recounts is not None and item.is_stub and not whole
            known = find((what, item.id, item.changed, stub))
            if known is None:
                new.append(item)
            else:
                found[item.id] = known
        if not new:
            return found
        self.items(item.id for item in new)
        for item in new:
            if item.id not in self.erased:
                found[item.id] = self.kept(item, what, partial(make, item), size)
        return {item.id: found[item.id] for item in items if item.id in found}

    def _key_of(self, item: Item, what: Hashable) -> tuple[Hashable, ...]:
        # An item that becomes a stub does not change for those who wait to write to it, but for those who read it.
        return (what, item.id, item.changed, item.is_stub and not self._whole)

    def _is_own(self, version: int) -> bool:
        if self._newest_own.first <= version <= self._newest_own.last:
            return True
        return any(piece.first <= version <= piece.last for piece in self._own)

    def _fetch(self, versions: Iterable[int]) -> None:
        missing = []
        for version in versions:
            if version in self._held:
                continue
            known: Held | None = self._shelf.get(version)
            if known is not None:
                self._held[version] = known
            else:
                missing.append(version)
        if not missing:
            return
        for version, held in self.reader.events_with_contents(missing).items():
            self._held[version] = held
            if self._is_own(version):
                size = 1_000 + sum(map(len, held[1].values()))
                self.runtime.recent.put(self._shelf, version, held, size)


def item_reader_of(runtime: Runtime, stream: UUID, state: ContextState) -> ItemReader:
    """What reads for the newest state of a session."""
    return ItemReader(runtime, stream, state, erasure=state.last_erasure)
