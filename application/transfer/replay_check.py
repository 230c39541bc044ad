"""What the events of an export mean: their fold, held against the states that were noted, and every recorded context
made again on the state that it shows."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from backstory.application.contents.source import message_of
from backstory.application.context.rebuild import rebuild
from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.transfer.flaws import Flaw, Wrong
from backstory.application.transfer.streams import Family, Held, Stream
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.errors import BackstoryError, ContentErased
from backstory.domain.events import ContextAssembled, Event
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.lineage import Lineage
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.window.stubs import stubbed

T = TypeVar("T")
MOST_KEPT = 16 * 2**20
"""Bytes of contents that are kept for the next context: it mostly shows what the last one did."""


def _small(value: object) -> int:
    return 1_000


class Meaning:
    """What the events of an export come to: taken one after the other as the file is read, stream by stream."""

    def __init__(self, family: Family, *, contexts: bool = True) -> None:
        self.family = family
        self.states = self.contexts = self.contexts_erased = 0
        self._with_contexts = contexts
        self._shelf = _Shelf(family)
        self._wanted = family.resumed_elsewhere()
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._compares = family.header.fold == FOLD_VERSION
        self._replay: BranchReplay
        self._state: ContextState | None = None
        self._resumed: set[int] = set()
        self._left: dict[UUID, dict[int, list[tuple[UUID, int]]]] = {}
        """By stream and version, the contexts that show a state which was gone when they were met: in which stream, at
        which version."""

    def begin(self, stream: Stream) -> None:
        """What follows are this stream's events."""
        self._replay = self._replay_of(stream)
        self._state = None
        self._resumed = self._wanted[stream.id]

    def take(self, event: Event) -> None:
        """The stream's next event."""
        if event.type == ContextAssembled.type and isinstance(event.body, ContextAssembled):
            self._take_context(event, event.body)
        try:
            state = self._state = self._replay.evolve(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Wrong(f"event {event.version}", f"cannot be folded: {error!r}") from None
        if event.version in self._resumed:
            self._roots[event.stream, event.version] = state.encode()

    def compare(self, version: int, digest: str) -> None:
        """The state after the newest event, with what was noted of it."""
        assert self._state is not None
        if not self._compares:
            return
        if digest != self._state.digest():
            raise Wrong(f"state {version}", "is not what the events come to")
        self.states += 1

    def finish(self) -> None:
        """Makes the contexts again that could not be when they were met. Their streams are read once more."""
        for name, contexts in self._left.items():
            stream = self.family.streams[name]
            replay = self._replay_of(stream)
            for version in range(stream.note.first, max(contexts) + 1):
                state = replay.evolve(self.family.event_at(name, stream.offset(version)))
                for owner, at in contexts.get(version, ()):
                    body = self.family.held(owner, at).event.body
                    assert isinstance(body, ContextAssembled)
                    try:
                        self._rebuild(at, body, state)
                    except Wrong as wrong:
                        line = self.family.file.line_number(self.family.streams[owner].offset(at))
                        raise Flaw(line, f"{wrong.where} of {owner}", wrong.what) from None

    def _replay_of(self, stream: Stream) -> BranchReplay:
        branch = self.family.lineage(stream.id, stream.note.last)
        return BranchReplay(stream.id, stream.seams, branch, self._root, remembers=False)

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _take_context(self, event: Event, body: ContextAssembled) -> None:
        """A context mostly shows the state right before it, which is at hand. Where somebody wrote in between, it has
        to wait."""
        if body.at >= event.version:
            raise Wrong(f"event {event.version}", "shows a state that was not there yet")
        if not self._with_contexts:
            return
        if self._state is not None and self._state.version == body.at:
            self._rebuild(event.version, body, self._state)
        else:
            owner = self.family.owner(event.stream, body.at)
            waiting = self._left.setdefault(owner, {})
            waiting.setdefault(body.at, []).append((event.stream, event.version))

    def _rebuild(self, version: int, body: ContextAssembled, state: ContextState) -> None:
        where = f"context {version}"
        item_reader = FileGatherer(self._shelf, self.family.lineage(state.stream, state.version), state)
        try:
            made = rebuild(item_reader, body)
        except (BackstoryError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise Wrong(where, f"cannot be made again: {error!r}") from None
        if isinstance(made, dict):
            self.contexts_erased += 1
        elif hashlib.sha256(made.data).hexdigest() != body.prompt_sha256:
            raise Wrong(where, "has another hash when it is made again")
        else:
            self.contexts += 1


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
    """Fills `loaded` from the file, as `ItemReader` does from a database."""

    def __init__(self, shelf: _Shelf, branch: Lineage, state: ContextState) -> None:
        self._shelf = shelf
        self._branch = branch
        self.loaded = LoadedItems(state)
        self.erased: set[int] = set()

    def items(self, wanted: Iterable[int]) -> None:
        for item in self.loaded.items_of(wanted):
            if item.id in self.loaded.messages or item.id in self.erased:
                continue
            for version in item.versions:
                self.loaded.events[version] = self._held(version).event
            try:
                messages = tuple(self._message(version) for version in item.versions)
            except ContentErased:
                self.erased.add(item.id)
                continue
            self.loaded.messages[item.id] = stubbed(item, messages) if item.is_stub else messages

    def versions(self, wanted: Iterable[int]) -> None:
        for version in wanted:
            event, contents = self._held(version)
            self.loaded.events[version] = event
            for part, data in contents.items():
                self.loaded.texts[version, part] = data.decode(errors="replace")

    def derive(
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
