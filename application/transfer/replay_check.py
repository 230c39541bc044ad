"""Replay of an export: the fold of the events is compared with the noted states, and every recorded context is
reproduced from the state it was built on."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from backstory.application.contents.source import memory_text, message_of
from backstory.application.context.rebuild import Gone, rebuild
from backstory.application.integrity.branch_replay import BranchReplay
from backstory.application.integrity.findings import IntegrityError
from backstory.application.transfer.checkpoint_document import checkpoint_document
from backstory.application.transfer.lines import CheckpointLine
from backstory.application.transfer.streams import EventWithContents, ExportedStream, ExportedStreams
from backstory.domain.commands.memory import project_id
from backstory.domain.context.loaded_items import LoadedItems
from backstory.domain.errors import BackstoryError, ContentErased
from backstory.domain.events import ContextAssembled, Event
from backstory.domain.fold.evolve import FOLD_VERSION
from backstory.domain.log.lineage import Lineage
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item, Place
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds
from backstory.domain.window.stubs import stubbed

T = TypeVar("T")
MOST_KEPT = 16 * 2**20
"""Bytes of contents that are kept for the next context, which mostly shows the same messages."""


def _small(value: object) -> int:
    return 1_000


class ReplayCheck:
    """Folds the events of an export as the file is read, stream by stream."""

    def __init__(self, streams: ExportedStreams, *, contexts: bool = True) -> None:
        self.streams = streams
        self.states = self.contexts = self.contexts_erased = self.contexts_elsewhere = 0
        self._with_contexts = contexts
        self._recent = _RecentEvents(streams)
        self._resumed_versions = streams.resumed_elsewhere()
        self._roots: dict[tuple[UUID, int], bytes] = {}
        self._compares = streams.header.fold == FOLD_VERSION
        self._replay: BranchReplay
        self._state: ContextState | None = None
        self._resumed: set[int] = set()
        self._checkpoint: tuple[tuple[UUID, int], CheckpointLine] | None = None
        self._postponed: dict[UUID, dict[int, list[tuple[UUID, int]]]] = {}
        """Contexts built on a state that was gone when they were read, by stream and version of that state."""

    def expect(self, checkpoint: CheckpointLine) -> None:
        """Takes the checkpoint of the file. Its document is compared when its event is read."""
        owner = self.streams.owner(checkpoint.session, checkpoint.checkpoint)
        self._checkpoint = (owner, checkpoint.checkpoint), checkpoint

    def begin(self, stream: ExportedStream) -> None:
        """Begins a stream. Its events follow."""
        self._replay = self._replay_of(stream)
        self._state = None
        self._resumed = self._resumed_versions[stream.id]

    def take(self, event: Event) -> None:
        """Folds the stream's next event."""
        if event.type == ContextAssembled.type and isinstance(event.body, ContextAssembled):
            self._take_context(event, event.body)
        try:
            state = self._state = self._replay.evolve(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise IntegrityError(f"event {event.version}", f"cannot be folded: {error!r}") from None
        if event.version in self._resumed:
            self._roots[event.stream, event.version] = state.encode()
        if self._checkpoint is not None and self._checkpoint[0] == (event.stream, event.version):
            self._compare_checkpoint(event, state, self._checkpoint[1])

    def _compare_checkpoint(self, event: Event, state: ContextState, line: CheckpointLine) -> None:
        where = f"checkpoint {event.version}"
        if event.effects.marks is None or microseconds(event.recorded_at) != line.taken:
            raise IntegrityError(where, "is not one that the event took")
        if not self._compares:
            return
        branch = self.streams.lineage(state.stream, state.version)
        try:
            found = checkpoint_document(FileItemReader(self._recent, branch, state), event)
        except (BackstoryError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise IntegrityError(where, f"cannot be made again: {error!r}") from None
        for name in {**found, **line.document}:
            if found.get(name) != line.document.get(name):
                raise IntegrityError(where, f"has another {name} than the record")

    def compare(self, version: int, digest: str) -> None:
        """Compares the state after the newest event with the noted digest."""
        assert self._state is not None
        if not self._compares:
            return
        if digest != self._state.digest():
            raise IntegrityError(f"state {version}", "is not what the events come to")
        self.states += 1

    def finish(self) -> None:
        """Reproduces the postponed contexts. Their streams are read once more."""
        for id, contexts in self._postponed.items():
            stream = self.streams.by_id[id]
            replay = self._replay_of(stream)
            for version in range(stream.note.first, max(contexts) + 1):
                state = replay.evolve(self.streams.event(id, version))
                for owner, at in contexts.get(version, ()):
                    body = self.streams.event(owner, at).body
                    assert isinstance(body, ContextAssembled)
                    try:
                        self._rebuild(at, body, state)
                    except IntegrityError as error:
                        line = self.streams.file.line_number(self.streams.by_id[owner].offset_of(at))
                        where, what, _ = error.finding
                        raise IntegrityError(f"{where} of {owner}", what, line) from None

    def _replay_of(self, stream: ExportedStream) -> BranchReplay:
        branch = self.streams.lineage(stream.id, stream.note.last)
        return BranchReplay(stream.id, stream.branch_points, branch, self._root, keeps_gone=False)

    def _root(self, stream: UUID, version: int) -> ContextState:
        return ContextState.decode(self._roots[stream, version])

    def _take_context(self, event: Event, body: ContextAssembled) -> None:
        """Reproduces a context at once if it was built on the state right before it, as most are. If another writer
        came in between, it is postponed."""
        if body.at >= event.version:
            raise IntegrityError(f"event {event.version}", "shows a state that was not there yet")
        if not self._with_contexts:
            return
        if self._state is not None and self._state.version == body.at:
            self._rebuild(event.version, body, self._state)
        else:
            owner = self.streams.owner(event.stream, body.at)
            waiting = self._postponed.setdefault(owner, {})
            waiting.setdefault(body.at, []).append((event.stream, event.version))

    def _rebuild(self, version: int, body: ContextAssembled, state: ContextState) -> None:
        where = f"context {version}"
        if body.project is not None and project_id(body.project) not in self.streams.by_id:
            self.contexts_elsewhere += 1
            return
        item_reader = FileItemReader(self._recent, self.streams.lineage(state.stream, state.version), state)
        try:
            made = rebuild(item_reader, body)
        except (BackstoryError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise IntegrityError(where, f"cannot be made again: {error!r}") from None
        if isinstance(made, Gone):
            self.contexts_erased += 1
        elif hashlib.sha256(made.data).hexdigest() != body.prompt_sha256:
            raise IntegrityError(where, "has another hash when it is made again")
        else:
            self.contexts += 1


class _RecentEvents:
    """Bounded cache of events and of values derived from them. Evicts the least recently used."""

    def __init__(self, streams: ExportedStreams) -> None:
        self.streams = streams
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def event(self, stream: UUID, version: int) -> EventWithContents:
        return self.get(
            (stream, version),
            lambda: self.streams.event_with_contents(stream, version),
            lambda event: 1_000 + sum(map(len, event.contents.values())),
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


class FileItemReader:
    """Loads items from the file, as ItemReader does from a database."""

    def __init__(self, recent: _RecentEvents, branch: Lineage, state: ContextState) -> None:
        self._recent = recent
        self._branch = branch
        self.loaded = LoadedItems(state)
        self.erased: set[int] = set()

    def items(self, wanted: Iterable[int]) -> None:
        for item in self.loaded.items_of(wanted):
            if item.id in self.loaded.messages or item.id in self.erased:
                continue
            for version in item.versions:
                self.loaded.events[version] = self._event(version).event
            try:
                messages = tuple(self._message(version) for version in item.versions)
            except ContentErased:
                self.erased.add(item.id)
                continue
            self.loaded.messages[item.id] = stubbed(item, messages) if item.is_stub else messages

    def versions(self, wanted: Iterable[int]) -> None:
        for version in wanted:
            event, contents = self._event(version)
            self.loaded.events[version] = event
            for part, data in contents.items():
                self.loaded.texts[version, part] = data.decode(errors="replace")

    def memories(self, project: UUID, wanted: Sequence[int]) -> None:
        for memory in wanted:
            held = self._recent.event(project, memory)
            if (text := memory_text(held.event, held.contents)) is not None:
                self.loaded.memories[memory] = text

    def project_texts(self, project: UUID, wanted: Sequence[Place]) -> None:
        for version, part in wanted:
            held = self._recent.event(project, version)
            if part in held.contents:
                self.loaded.project_texts[version, part] = held.contents[part].decode(errors="replace")

    def derive(
        self,
        items: Sequence[Item],
        what: Hashable,
        make: Callable[[Item], T],
        size: Callable[[T], int] = _small,
    ) -> dict[int, T]:
        self.items(item.id for item in items if self._key(item, what) not in self._recent)
        return {
            item.id: self._recent.get(self._key(item, what), partial(make, item), size)
            for item in items
            if item.id not in self.erased
        }

    def _key(self, item: Item, what: Hashable) -> Hashable:
        return (what, self._branch.owner(item.id), item.id, item.changed, item.versions, item.is_stub)

    def _event(self, version: int) -> EventWithContents:
        return self._recent.event(self._branch.owner(version), version)

    def _message(self, version: int) -> Message:
        event, contents = self._event(version)
        return message_of(event, {(version, part): data for part, data in contents.items()})
