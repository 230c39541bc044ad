"""Reads the items of a state: their messages, events and texts, and values derived from one item."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar
from uuid import UUID

from backstory.application.contents.memories import file_texts, memory_texts
from backstory.application.contents.reader import ContentReader
from backstory.application.contents.source import message_of
from backstory.application.runtime import Runtime
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event
from backstory.domain.log.lineage import Lineage
from backstory.domain.messages.contents import Message, content_digest
from backstory.domain.records import Item, Place
from backstory.domain.safety.quarantine import without_quarantined
from backstory.domain.state import ContextState
from backstory.domain.window.stubs import stubbed

T = TypeVar("T")
EventContents = tuple[Event, dict[int, bytes]]
"""An event and its contents by part."""


def _small(value: object) -> int:
    return 100


class ItemReader:
    """Fills `loaded` with what items of a state say. The session's own contents come from the content cache, under the
    session's last erasure. What a fork inherits is read each time."""

    def __init__(
        self, runtime: Runtime, stream: UUID, state: ContextState, *, erasure: int | None, whole: bool = False
    ) -> None:
        """`erasure` is that of the session's newest state; with None nothing is cached. With `whole`, tool exchanges
        have their results even where a window shows stubs."""
        self.runtime = runtime
        self.stream = stream
        self._whole = whole
        self._erasure = erasure
        self.branch = self._branch(stream, state)
        self.reader = ContentReader(runtime, self.branch)
        self._own = [piece for piece in self.branch if erasure is not None and piece.stream == stream]
        self._read: dict[int, EventContents] = {}
        self.loaded = LoadedItems(without_quarantined(state))
        self.erased: set[int] = set()
        """Items that were asked for and of which something was erased."""

    @classmethod
    def of_newest(
        cls, runtime: Runtime, stream: UUID, state: ContextState, *, whole: bool = False
    ) -> "ItemReader":
        """The reader for the newest state of a session."""
        return cls(runtime, stream, state, erasure=state.last_erasure, whole=whole)

    def items(self, wanted: Iterable[int]) -> None:
        """Loads what these items say: those that are live, and those that `loaded` has although they left."""
        loaded = self.loaded
        items = [item for item in loaded.items_of(wanted) if item.id not in loaded.messages]
        loaded.messages.update(self.messages(items))
        for item in items:
            for version in item.versions:
                loaded.events[version] = self._read[version][0]

    def messages(self, items: Sequence[Item]) -> dict[int, tuple[Message, ...]]:
        """The messages of each item, without those items of which something was erased."""
        self._fetch(version for item in items for version in item.versions)
        stubs = [item.is_stub and not self._whole for item in items]
        cached = self._cached(
            [self._key("messages", item, stub) for item, stub in zip(items, stubs, strict=True)]
        )
        found = {}
        for item, stub, messages in zip(items, stubs, cached, strict=True):
            try:
                found[item.id] = messages or self._messages(item, stub=stub)
            except ContentErased:
                self.erased.add(item.id)
        return found

    def as_stub(self, item: Item) -> tuple[Message, ...]:
        """The messages of a loaded exchange without its results."""
        (cached,) = self._cached([self._key("messages", item, True)])
        return cached or self._messages(item, stub=True)

    def versions(self, wanted: Iterable[int]) -> None:
        """Loads the events of these versions and their texts."""
        versions = list(wanted)
        self._fetch(versions)
        for version in versions:
            event, contents = self._read[version]
            self.loaded.events[version] = event
            for part, data in contents.items():
                self.loaded.texts[version, part] = data.decode(errors="replace")

    def memories(self, project: UUID, wanted: Sequence[int]) -> None:
        """Loads what these memories of a project say, but those of which something was erased."""
        self.loaded.memories.update(memory_texts(self.runtime, project, wanted))

    def project_texts(self, project: UUID, wanted: Sequence[Place]) -> None:
        """Loads texts of files that a project holds, but those that were erased."""
        self.loaded.project_texts.update(file_texts(self.runtime, project, wanted))

    def derive(
        self,
        items: Sequence[Item],
        what: Hashable,
        make: Callable[[Item], T],
        size: Callable[[T], int] = _small,
    ) -> dict[int, T]:
        """A value of each item as it is now, in the order of the items, without those of which something was erased.
        `make` is called for values that are not cached, after their items were loaded."""
        keys = [self._key(what, item, item.is_stub and not self._whole) for item in items]
        cached: list[T | None] = self._cached(keys)
        missing = [item for item, value in zip(items, cached, strict=True) if value is None]
        if missing:
            self.items([item.id for item in missing])
        found: dict[int, T] = {}
        for item, key, value in zip(items, keys, cached, strict=True):
            if value is None:
                if item.id in self.erased:
                    continue
                value = make(item)
                self._put(item.id, key, value, size(value))
            found[item.id] = value
        return found

    def digests(self, items: Sequence[Item]) -> dict[int, str]:
        """By item, the digest of its content, without those of which something was erased."""
        return self.derive(
            items, "content digest", lambda item: content_digest(self.loaded.messages[item.id])
        )

    def _messages(self, item: Item, *, stub: bool) -> tuple[Message, ...]:
        messages = tuple([self._message(version) for version in item.versions])
        if stub:
            messages = stubbed(item, messages)
        # Other than a stub's, the bytes are those of the events, which are cached with their contents.
        size = _size(messages) if stub else 0
        self._put(item.id, self._key("messages", item, stub), messages, size)
        return messages

    def _message(self, version: int) -> Message:
        event, contents = self._read[version]
        return message_of(event, {(version, part): data for part, data in contents.items()})

    def _fetch(self, versions: Iterable[int]) -> None:
        wanted = [version for version in versions if version not in self._read]
        missing = []
        for version, cached in zip(wanted, self._cached(wanted), strict=True):
            if cached is None:
                missing.append(version)
            else:
                self._read[version] = cached
        if not missing:
            return
        for version, read in self.reader.events_with_contents(missing).items():
            self._read[version] = read
            self._put(version, version, read, 1_000 + sum(map(len, read[1].values())))

    def _key(self, what: Hashable, item: Item, stub: bool) -> Hashable:
        # An item that becomes a stub changes for its readers, but not for the guards of those who write to it. One that
        # has left may be loaded without its further texts.
        return (what, item.id, item.changed, item.versions, stub)

    def _cached(self, keys: Sequence[Hashable]) -> list[T | None]:
        if self._erasure is None:
            return [None] * len(keys)
        return self.runtime.contents.get_all(self.stream, self._erasure, keys)

    def _put(self, version: int, key: Hashable, value: object, size: int) -> None:
        """Caches what follows from the event of a version, unless another session owns it."""
        if self._erasure is not None and any(piece.first <= version <= piece.last for piece in self._own):
            self.runtime.contents.put(self.stream, self._erasure, key, value, size)

    def _branch(self, stream: UUID, state: ContextState) -> Lineage:
        """The events that lead to the state."""
        if state.stream != stream:
            # A version that a fork has inherited: its epochs are the parent's.
            return self.runtime.reader.lineage(stream, state.version)
        cache, key = self.runtime.contents, ("branch", state.epoch)
        # In one epoch nothing changes but the end.
        known: Lineage | None = cache.get(stream, 0, key)
        if known is None or not known[-1].first <= state.version:
            known = self.runtime.reader.lineage(stream, state.version)
            cache.put(stream, 0, key, known, 100 * len(known))
        return Lineage((*known[:-1], known[-1]._replace(last=state.version)))


def _size(messages: tuple[Message, ...]) -> int:
    return 1_000 + sum(len(part.data) for message in messages for part in message.parts)
