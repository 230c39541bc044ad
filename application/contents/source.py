"""Items and messages, from a database or from an exported file: nothing here reads a database."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from backstory.domain.context.loaded_items import LoadedItems, MemoryText
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event, ItemSaved, ItemsCompacted, MemoryRecorded, SummaryMade
from backstory.domain.events.conversation import MessageBody
from backstory.domain.fold.evolve import brought
from backstory.domain.log.references import PLAIN_TEXT, ContentRef, PartRef, references_of
from backstory.domain.messages.contents import Message, Part
from backstory.domain.records import Item, Place
from backstory.domain.values import microseconds

T = TypeVar("T")
Bytes = dict[Place, bytes]


class ItemSource(Protocol):
    """Reads items: from a database, or from an exported file."""

    loaded: LoadedItems
    erased: set[int]

    def items(self, wanted: Iterable[int]) -> None: ...

    def versions(self, wanted: Iterable[int]) -> None: ...

    def memories(self, project: UUID, wanted: Sequence[int]) -> None: ...

    def project_texts(self, project: UUID, wanted: Sequence[Place]) -> None: ...

    def derive(
        self, items: Sequence[Item], what: Hashable, make: Callable[[Item], T], size: Callable[[T], int] = ...
    ) -> dict[int, T]: ...


def load_left(source: ItemSource, wanted: Iterable[int], further: Iterable[int] = ()) -> list[Item]:
    """Loads items that have left every window: as they came, and with their `further` texts, such as a tool's
    results."""
    hidden = source.loaded.state.quarantined
    items, texts = [item for item in wanted if item not in hidden], sorted(further)
    source.versions([*items, *texts])
    events, left = source.loaded.events, source.loaded.left
    for version in items:
        event = events[version]
        if event.effects.brings is not None:
            item = brought(version, microseconds(event.occurred_at), event.effects.brings)
            role = str(event.body.role) if isinstance(event.body, MessageBody) else None
            left[version] = item._replace(role=role)
    for version in texts:
        effects = events[version].effects
        if effects.extends is not None and effects.extends.item in left:
            grown = left[effects.extends.item]
            left[grown.id] = grown._replace(versions=(*grown.versions, version))
        elif effects.revises is not None and effects.revises.item in left:
            left[effects.revises.item] = left[effects.revises.item]._replace(versions=(version,))
    return [left[version] for version in items if version in left]


def message_of(event: Event, contents: Bytes) -> Message:
    """An event as a message: a provider's own, a saved item's parts, or the texts of anything else. Raises
    ContentErased where something of it was erased."""
    body, version = event.body, event.version
    if isinstance(body, MessageBody):
        parts = tuple([_part(version, ref, contents) for ref in body.parts])
        extras = None if body.extras is None else _data(version, body.extras, contents)
        metadata = None if body.metadata is None else _data(version, body.metadata, contents)
        return Message(str(body.role), parts, body.format, extras, metadata_json=metadata)
    if isinstance(body, ItemSaved):
        return Message("system", tuple(_part(version, ref, contents) for ref in body.parts))
    texts = [(ref, _data(version, ref, contents)) for ref in references_of(body.encode())]
    if isinstance(body, SummaryMade | ItemsCompacted):
        # Its fields in JSON, and the reason that somebody else made it, are not part of what it says.
        said = body.text if isinstance(body, SummaryMade) else body.summary
        texts = [(ref, data) for ref, data in texts if ref == said]
    if isinstance(body, MemoryRecorded):
        texts = [(ref, data) for ref, data in texts if ref in (body.title, body.text)]
        texts.sort(key=lambda one: one[0] == body.text)
    parts = tuple(
        Part("text" if ref.media_type == PLAIN_TEXT else "document", data, ref.media_type)
        for ref, data in texts
    )
    return Message("system", parts)


def memory_text(event: Event, contents: Mapping[int, bytes]) -> MemoryText | None:
    """What a memory says; None where its text or its title was erased."""
    body = event.body
    if not isinstance(body, MemoryRecorded):
        return None
    refs = [body.text] if body.title is None else [body.text, body.title]
    if any(ref.part not in contents for ref in refs):
        return None
    texts = [contents[ref.part].decode(errors="replace") for ref in refs]
    title = None if body.title is None else texts[1]
    return MemoryText(event.version, body.kind, event.occurred_at, title, texts[0], event.actor)


def _part(version: int, ref: PartRef, contents: Bytes) -> Part:
    return Part(
        ref.kind,
        _data(version, ref.content, contents),
        ref.content.media_type,
        ref.call_id,
        ref.name,
        None if ref.extras is None else _data(version, ref.extras, contents),
    )


def _data(version: int, ref: ContentRef, contents: Bytes) -> bytes:
    data = contents.get((version, ref.part))
    if data is None:
        raise erased(version)
    return data


def erased(version: int) -> ContentErased:
    return ContentErased(f"the contents of version {version} were erased.")
