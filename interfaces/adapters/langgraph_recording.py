"""Checkpoints and writes on their way into a thread's session."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ormsgpack
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from backstory.application.session import Session
from backstory.application.transaction import Transaction
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.effects import Removal
from backstory.domain.log.references import ContentRef
from backstory.domain.messages.contents import Message
from backstory.domain.state import ContextState
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.adapters.langgraph_events import ChangedChannel, CheckpointSaved, WritesSaved
from backstory.interfaces.adapters.langgraph_thread import Contents, Element, Entry, Thread, common_prefix
from backstory.interfaces.adapters.langgraph_values import (
    Packed,
    compressed,
    message_of,
    pack,
    speaker_of,
    without,
)


class Record:
    """The values of one event, and their texts as contents of it."""

    def __init__(self) -> None:
        self.bundle = ContentBundle()
        self._texts: list[bytes] = []

    def said(self, packed: Packed) -> list[Any]:
        """A packed value as the record has it. Its texts come after the record, which is part 0."""
        texts = []
        for text in packed.texts:
            if text.data not in self._texts:
                self._texts.append(text.data)
            texts.append([list(text.path), 1 + self._texts.index(text.data)])
        return [packed.type, packed.data, texts]

    def sealed(self, record: Any) -> dict[str, Any]:
        """The fields of the event that name the record and its texts."""
        data = compressed(ormsgpack.packb(record))
        ref = self.bundle.seal("record", data, "application/zlib")
        texts: tuple[ContentRef, ...] = tuple(
            self.bundle.seal("texts", data, "text/plain") for data in self._texts
        )
        return {"record": ref, "texts": texts}


class NewMessages:
    """The messages that are new in a checkpoint, in their order."""

    def __init__(self, session: Session, windows: Sequence[str]) -> None:
        self._session = session
        self._windows = windows
        self._state: ContextState | None = None
        self._calls: dict[str, int] = {}
        """Calls of this checkpoint, by the place of the message that has them."""
        self.said: list[tuple[Any, Message]] = []
        self.exchanges: dict[int, int] = {}
        """By the place of a message with results, the item it belongs to: of the session, or negative the place of a
        message of this checkpoint."""

    def add(self, value: Any) -> int | None:
        """Takes a value of a graph, if it is a message. Returns its place."""
        message = message_of(value, self._may_open, lambda call: self._exchange(call) is not None)
        if message is None:
            return None
        place = len(self.said)
        self.said.append((value, message))
        for part in message.parts:
            if part.kind == "tool_use" and part.call_id:
                self._calls[part.call_id] = -1 - place
            elif part.kind == "tool_result" and part.call_id:
                exchange = self._exchange(part.call_id)
                assert exchange is not None
                self.exchanges[place] = exchange
                self._calls[part.call_id] = 0
        return place

    def write(self, transaction: Transaction) -> None:
        """Adds the messages to a transaction."""
        for value, message in self.said:
            name = speaker_of(value)
            writer = transaction if name is None else transaction.by(name)
            if value.type == "tool" and message.role != "tool":
                writer = writer.of_origin("external_tool")
            writer.message(message, windows=self._windows)

    def _may_open(self, call: str) -> bool:
        return bool(self._windows) and self._exchange(call) is None and 0 < len(call) <= 200

    def _exchange(self, call: str) -> int | None:
        """The item of a call that waits for its result."""
        if call in self._calls:
            return self._calls[call] or None
        if self._state is None:
            self._state = self._session.state
        exchange = self._state.open_calls.get(call)
        return exchange if exchange in self._state.items else None


class CheckpointDraft:
    """A checkpoint as it will be recorded."""

    def __init__(self, thread: Thread, serde: SerializerProtocol, ns: str, parent: Entry | None) -> None:
        self._thread = thread
        self._serde = serde
        self._parent = parent
        self._contents: Contents = thread.contents()
        self._record = Record()
        self._ns = ns
        # A subgraph's own messages are in the record and found by search; the conversation is the graph's.
        self.messages = NewMessages(thread.session, () if ns else (MAIN_WINDOW,))
        self._changed: dict[str, ChangedChannel] = {}
        self._values: dict[str, Any] = {}
        self._lists: dict[str, list[tuple[Element | Packed, int | None]]] = {}
        self._whole: dict[str, list[Element | None]] = {}
        self._digests: dict[bytes, tuple[str, int]] = {}

    def channel(self, name: str, version: Any, values: Mapping[str, Any]) -> None:
        """Takes a channel that has changed. One without a value was emptied."""
        value = values.get(name)
        # Another serializer may encrypt: then its bytes are all that is kept.
        if name in values and type(value) is list and isinstance(self._serde, JsonPlusSerializer):
            self._list(name, str(version), value)
            return
        if name in values:
            self._values[name] = self._record.said(pack(self._serde, value))
        self._changed[name] = ChangedChannel(version=str(version))

    def _list(self, name: str, version: str, value: list[Any]) -> None:
        base = self._thread.list_before(self._parent, name)
        before = [] if base is None else self._thread.elements(self._contents, base, name)
        packed = [pack(self._serde, element) for element in value]
        digests = [one.digest for one in packed]
        keep = common_prefix(before, digests)
        self._changed[name] = ChangedChannel(
            version=version, list=True, base=base if keep else None, keep=keep
        )
        new: list[tuple[Element | Packed, int | None]] = []
        for one, digest, element in zip(packed[keep:], digests[keep:], value[keep:], strict=True):
            known = self._thread.by_digest.get(digest)
            if known is not None:
                new.append((known, None))
            elif digest in self._digests:
                # Twice in one checkpoint: in two channels, mostly.
                new.append((one, self._digests[digest][1]))
            else:
                place = self.messages.add(element)
                new.append((one, place))
                if place is not None:
                    self._digests[digest] = (name, place)
        self._lists[name] = new
        self._whole[name] = [*before[:keep], *(None for _ in new)]

    def body(self, checkpoint: Mapping[str, Any], metadata: Mapping[str, Any]) -> CheckpointSaved:
        """The event of the checkpoint. Its contents are `bundle`."""
        said = {
            "c": self._record.said(pack(self._serde, dict(checkpoint))),
            "m": self._record.said(pack(self._serde, dict(metadata))),
            "v": self._values,
            "l": {
                name: [self._element(element, place) for element, place in new]
                for name, new in self._lists.items()
            },
        }
        return CheckpointSaved(
            ns=self._ns,
            id=checkpoint["id"],
            parent=None if self._parent is None else self._parent.body.id,
            changed=self._changed,
            **self._record.sealed(said),
        )

    @property
    def bundle(self) -> ContentBundle:
        """The contents of the event."""
        return self._record.bundle

    def _element(self, element: Element | Packed, place: int | None) -> dict[str, Any]:
        if isinstance(element, Element):
            return {"at": list(element.at)}
        if place is None:
            return {"e": self._record.said(element)}
        held = {
            part.data: number
            for number, part in enumerate(self.messages.said[place][1].parts)
            if part.kind in ("text", "tool_result")
        }
        shell, parts = without(element, held)
        return {"e": self._record.said(shell), "m": len(self.messages.said) - place, "i": parts}

    def keep(self, version: int) -> None:
        """Remembers the lists as they were recorded, at the version of the checkpoint's event."""
        first = version - len(self.messages.said)
        for name, new in self._lists.items():
            keep = self._changed[name].keep
            whole = [element for element in self._whole[name][:keep] if element is not None]
            for number, (element, place) in enumerate(new):
                if isinstance(element, Element):
                    whole.append(element)
                    continue
                item = None if place is None else self._item(place, first)
                whole.append(Element(element, element.digest, (version, name, number), item))
            self._thread.keep(version, name, whole)

    def _item(self, place: int, first: int) -> int:
        exchange = self.messages.exchanges.get(place)
        if exchange is None:
            return first + place
        return exchange if exchange > 0 else first - 1 - exchange

    def leaving(self) -> tuple[Removal, ...]:
        """What leaves the window: the items of messages that the newest checkpoint has and this one has not."""
        moved_on = self._parent is self._thread.head(self._ns)
        if self._ns or (moved_on and all(self._grew(name) for name in self._lists)):
            return ()
        before = self._thread.items_of(self._thread.head(self._ns), self._contents)
        gone = sorted(before - self.kept_items())
        return (Removal(items=tuple(gone), disposition="removed", window=MAIN_WINDOW),) if gone else ()

    def _grew(self, name: str) -> bool:
        base = self._thread.list_before(self._parent, name)
        before = [] if base is None else self._thread.elements(self._contents, base, name)
        return self._changed[name].keep == len(before)

    def kept_items(self) -> set[int]:
        """The items of messages that the checkpoint has from before."""
        kept = {element.item for whole in self._whole.values() for element in whole if element is not None}
        kept |= {
            element.item for new in self._lists.values() for element, _ in new if isinstance(element, Element)
        }
        for ancestor in self._thread.ancestors(self._parent):
            for channel, changed in ancestor.body.changed.items():
                if channel not in self._changed and changed.list:
                    elements = self._thread.elements(self._contents, ancestor.version, channel)
                    kept |= {element.item for element in elements}
        return {item for item in kept if item is not None}


def writes_of(
    serde: SerializerProtocol,
    writes: Sequence[tuple[str, Any]],
    number_of: Callable[[str, int], int],
    **fields: str,
) -> tuple[WritesSaved, ContentBundle]:
    """The event of what a task wrote, with its contents."""
    record = Record()
    said = {
        "p": fields.pop("task_path"),
        "w": [
            [channel, number_of(channel, place), record.said(pack(serde, value))]
            for place, (channel, value) in enumerate(writes)
        ],
    }
    return WritesSaved(**fields, **record.sealed(said)), record.bundle
