"""One thread of a graph in its session: what is recorded of it, read as far as it is asked for."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from threading import RLock
from typing import Any, NamedTuple

import ormsgpack
from langgraph.checkpoint.serde.base import SerializerProtocol

from backstory.application.contents.reader import ContentReader
from backstory.application.session import Session
from backstory.domain.events import Event, ToolAnswered
from backstory.interfaces.adapters.langgraph_events import (
    ChangedChannel,
    CheckpointSaved,
    CheckpointsHidden,
    ThreadOpened,
    WritesSaved,
)
from backstory.interfaces.adapters.langgraph_values import ERASED, Packed, Text, decompressed, unpack

LISTS_KEPT = 32
"""Lists of a thread that are kept in memory, elements and all."""


class Element(NamedTuple):
    """An element of a list: where it is recorded, and for a message its item."""

    packed: Packed
    digest: bytes
    at: tuple[int, str, int]
    item: int | None


@dataclass
class Entry:
    """A checkpoint, and the event that recorded it."""

    version: int
    body: CheckpointSaved
    hidden_at: int | None = None


@dataclass
class Contents:
    """The records and texts of events, each read once."""

    reader: ContentReader
    held: dict[tuple[int, int], bytes] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    records: dict[int, Any] = field(default_factory=dict)

    def need(self, versions: Iterable[int]) -> None:
        """Reads what is not there yet, in one go."""
        if missing := set(versions) - self.known:
            self.held |= self.reader.bytes_of(sorted(missing))
            self.known |= missing

    def record(self, version: int) -> Any:
        """The record of an event."""
        if version not in self.records:
            self.need([version])
            self.records[version] = ormsgpack.unpackb(decompressed(self.held[version, 0]))
        return self.records[version]

    def packed(self, version: int, said: Sequence[Any], item: int = 0, parts: Iterable[Any] = ()) -> Packed:
        """A packed value of an event, with texts of that event and of a message."""
        kind, data, texts = said
        found = [Text(tuple(path), self._text(version, part)) for path, part in texts]
        found += [Text(tuple(path), self._text(item, part)) for path, part in parts]
        return Packed(kind, data, tuple(found))

    def _text(self, version: int, part: int) -> bytes:
        self.need([version])
        return self.held.get((version, part), ERASED.encode())


class Thread:
    """What a session holds of a thread. It is brought up to date by reading the events that came since."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self.epoch = self.session.epoch
        self.version = 0
        self.name: str | None = None
        self.hidden_at = 0
        self.entries: dict[tuple[str, str], Entry] = {}
        self.saved: dict[int, CheckpointSaved] = {}
        self.values: dict[tuple[str, str, str], int] = {}
        self.writes: dict[tuple[str, str], list[tuple[int, WritesSaved]]] = {}
        self.exchanges: dict[int, int] = {}
        self.lists: OrderedDict[tuple[int, str], list[Element]] = OrderedDict()
        self.by_digest: dict[bytes, Element] = {}

    def refresh(self) -> "Thread":
        """Reads what came since, by whatever process. After a backtrack of the session, everything that leads to its
        newest version."""
        newest = self.session.version
        if newest != self.version:
            self.session.refresh()
            if self.session.epoch != self.epoch:
                self._forget()
            for event in self.session.events(after=self.version, upto=newest, branch=True):
                self._take(event)
            self.version = newest
        return self

    def _take(self, event: Event) -> None:
        match event.body:
            case CheckpointSaved() as body:
                key = (body.ns, body.id)
                before = self.entries.get(key)
                if before is not None and before.hidden_at is not None:
                    after = before.hidden_at
                    self.writes[key] = [kept for kept in self.writes.get(key, []) if kept[0] > after]
                self.entries[key] = Entry(event.version, body)
                self.saved[event.version] = body
                for channel, changed in body.changed.items():
                    self.values[body.ns, channel, changed.version] = event.version
            case WritesSaved() as body:
                self.writes.setdefault((body.ns, body.checkpoint), []).append((event.version, body))
            case CheckpointsHidden() as body:
                gone = set(body.checkpoints)
                for entry in self.entries.values():
                    if entry.version in gone:
                        entry.hidden_at = event.version
                self.hidden_at = event.version
            case ToolAnswered() as body:
                self.exchanges[event.version] = body.exchange
            case ThreadOpened() as body:
                self.name = body.thread

    def contents(self) -> Contents:
        """An empty cache of the contents that lead to the newest version."""
        return Contents(ContentReader.on_branch(self.session._runtime, self.session.id, self.version))

    def visible(self, ns: str | None = None) -> list[Entry]:
        """The checkpoints that are not hidden, the newest first."""
        found = [
            entry
            for entry in self.entries.values()
            if entry.hidden_at is None and (ns is None or entry.body.ns == ns)
        ]
        return sorted(found, key=lambda entry: entry.body.id, reverse=True)

    def head(self, ns: str) -> Entry | None:
        """The newest checkpoint of a namespace."""
        visible = [e for e in self.entries.values() if e.hidden_at is None and e.body.ns == ns]
        return max(visible, key=lambda entry: entry.body.id, default=None)

    def ancestors(self, entry: Entry | None) -> Iterator[Entry]:
        """A checkpoint and those that it came after, hidden ones too."""
        seen: set[str] = set()
        while entry is not None and entry.body.id not in seen:
            yield entry
            seen.add(entry.body.id)
            entry = self.entries.get((entry.body.ns, entry.body.parent or ""))

    def list_before(self, parent: Entry | None, channel: str) -> int | None:
        """The event with the value of a channel in a checkpoint, if that is a list."""
        for entry in self.ancestors(parent):
            if changed := entry.body.changed.get(channel):
                return entry.version if changed.list else None
        return None

    def items_of(self, entry: Entry | None, contents: Contents) -> set[int]:
        """The items of the messages in a checkpoint."""
        newest: dict[str, int] = {}
        for ancestor in self.ancestors(entry):
            for channel in ancestor.body.changed:
                newest.setdefault(channel, ancestor.version)
        lists = [(v, channel) for channel, v in newest.items() if self.saved[v].changed[channel].list]
        return {
            element.item
            for version, channel in lists
            for element in self.elements(contents, version, channel)
            if element.item is not None
        }

    def elements(self, contents: Contents, version: int, channel: str) -> list[Element]:
        """The elements of a list."""
        chain: list[tuple[int, ChangedChannel]] = []
        place: int | None = version
        while place is not None and (place, channel) not in self.lists:
            chain.append((place, self.saved[place].changed[channel]))
            place = chain[-1][1].base
        found = [] if place is None else self.lists[place, channel]
        contents.need(at for at, _ in chain)
        said = {at: contents.record(at)["l"][channel] for at, _ in chain}
        contents.need(at - one["m"] for at, elements in said.items() for one in elements if "m" in one)
        for at, changed in reversed(chain):
            new = [self._element(contents, at, channel, n, one) for n, one in enumerate(said[at])]
            found = found[: changed.keep] + new
        self.keep(version, channel, found)
        return found

    def keep(self, version: int, channel: str, elements: list[Element]) -> None:
        """Remembers a list."""
        self.lists[version, channel] = elements
        self.lists.move_to_end((version, channel))
        while len(self.lists) > LISTS_KEPT:
            self.lists.popitem(last=False)
        for element in elements:
            self.by_digest.setdefault(element.digest, element)

    def _element(self, contents: Contents, version: int, channel: str, place: int, said: Any) -> Element:
        if "at" in said:
            there, other, number = said["at"]
            return self._element(contents, there, other, number, contents.record(there)["l"][other][number])
        message = version - said["m"] if "m" in said else None
        packed = contents.packed(version, said["e"], message or 0, said.get("i", ()))
        item = None if message is None else self.exchanges.get(message, message)
        return Element(packed, packed.digest, (version, channel, place), item)

    def channel_values(
        self, serde: SerializerProtocol, contents: Contents, ns: str, versions: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The values of channels at these versions. A channel that had none is left out."""
        places = {
            channel: self.values.get((ns, channel, str(version))) for channel, version in versions.items()
        }
        contents.need(place for place in places.values() if place is not None)
        found = {}
        for channel, place in places.items():
            if place is None:
                continue
            if self.saved[place].changed[channel].list:
                elements = self.elements(contents, place, channel)
                found[channel] = [unpack(serde, element.packed) for element in elements]
            elif (said := contents.record(place)["v"].get(channel)) is not None:
                found[channel] = unpack(serde, contents.packed(place, said))
        return found

    def pending_writes(
        self, serde: SerializerProtocol, contents: Contents, entry: Entry, order: Callable[..., Any]
    ) -> list[tuple[str, str, Any]]:
        """What tasks wrote on a checkpoint, in LangGraph's order. Of a task that ran twice the first counts, but for
        errors, interrupts and the like the last."""
        written: dict[tuple[str, int], tuple[str, int, Any]] = {}
        events = self.writes.get((entry.body.ns, entry.body.id), [])
        contents.need(version for version, _ in events)
        for version, body in events:
            record = contents.record(version)
            for channel, number, said in record["w"]:
                if number < 0 or (body.task, number) not in written:
                    written[body.task, number] = (record["p"], version, (channel, said))
        sorted_keys = sorted(written, key=lambda key: order(written[key][0], *key))
        return [
            (task, channel, unpack(serde, contents.packed(version, said)))
            for task, number in sorted_keys
            for _, version, (channel, said) in [written[task, number]]
        ]


def common_prefix(before: Sequence[Element], digests: Sequence[bytes]) -> int:
    """How many elements two lists begin with alike."""
    pairs = zip(before, digests, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].digest == pair[1], pairs))
