"""Reads contents from the streams that hold them."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from uuid import UUID

from backstory.application.contents.source import Bytes, erased, message_of
from backstory.application.runtime import Runtime
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event, ItemsCompacted, SystemPromptSet
from backstory.domain.events.conversation import MessageBody
from backstory.domain.log.lineage import Lineage, VersionRange
from backstory.domain.messages.contents import Message
from backstory.domain.records import Item, Place
from backstory.domain.values import Role
from backstory.infrastructure.states.reading import (
    content_salts,
    present_places,
    removals,
    versions_of_type,
)


class ContentReader:
    """Reads contents along ranges of versions: of one branch of a session, or of its whole log."""

    def __init__(self, runtime: Runtime, pieces: Lineage) -> None:
        self._runtime = runtime
        self._pieces = pieces

    @classmethod
    def on_branch(cls, runtime: Runtime, stream: UUID, version: int) -> "ContentReader":
        """The reader for what leads to a version."""
        return cls(runtime, runtime.reader.lineage(stream, version))

    def versions_of(self, item: int) -> list[int]:
        """The events that hold an item's contents, oldest first; of a text that was revised, the newest. Empty when
        the version brought no item."""
        found = [
            held
            for piece in self._pieces
            for held in self._runtime.log.versions_of(piece.stream, item, piece.first, piece.last)
        ]
        if all(version != item for version, _ in found):
            return []
        newest = max((place for place, (_, revised) in enumerate(found) if revised), default=0)
        return [version for version, _ in found[newest:]]

    def said_by(self, item: int) -> list[Message]:
        """The messages of one item, live or not."""
        versions = self.versions_of(item)
        events, contents = self.events_and_bytes(versions)
        return [message_of(events[version], contents) for version in versions]

    def events(self, versions: Iterable[int]) -> dict[int, Event]:
        """These events of the branch, by version."""
        found: dict[int, Event] = {}
        for stream, wanted in self._by_owner(versions).items():
            for row in self._runtime.log.rows_at(stream, wanted):
                found[row.originator_version] = self._runtime.mapper.to_domain_event(row)
        return found

    def events_with_contents(self, versions: Iterable[int]) -> dict[int, tuple[Event, dict[int, bytes]]]:
        """These events of the branch with their contents, by version and part. Raises VerificationFailed if a content
        is not the one that its event names."""
        found: dict[int, tuple[Event, dict[int, bytes]]] = {}
        for stream, wanted in self._by_owner(versions).items():
            for row, contents in self._runtime.log.rows_with_contents(stream, wanted):
                found[row.originator_version] = (self._runtime.mapper.to_domain_event(row), contents)
        return found

    def events_and_bytes(self, versions: Iterable[int]) -> tuple[dict[int, Event], Bytes]:
        """These events of the branch by version, and their contents by place."""
        found = self.events_with_contents(versions)
        events = {version: event for version, (event, _) in found.items()}
        contents = {
            (version, part): data for version, (_, held) in found.items() for part, data in held.items()
        }
        return events, contents

    def bytes_of(self, versions: Iterable[int]) -> Bytes:
        """All contents of these events that were not erased, by place."""
        return {
            (row.originator_version, part): data
            for stream, wanted in self._by_owner(versions).items()
            for row, contents in self._runtime.log.rows_with_contents(stream, wanted)
            for part, data in contents.items()
        }

    def versions_of_type(self, *types: str) -> list[int]:
        """The versions of all events of these types, oldest first."""
        return sorted(
            version
            for stream, own in self._by_stream().items()
            for version in versions_of_type(self._runtime.database, stream, own, types)
        )

    def events_of_type(self, *types: str, besides: Collection[int] = ()) -> list[Event]:
        """All events of these types, but those at some versions, oldest first."""
        known = set(besides)
        found = self.events(version for version in self.versions_of_type(*types) if version not in known)
        return [found[version] for version in sorted(found)]

    def made_room(self, window: str) -> set[int]:
        """The items that a compaction, a prune or a flash save took out of a window last, not somebody by hand. Those
        that came back are among them."""
        found: dict[int, bool] = {}
        for _, type_, removes in sorted(
            removal
            for stream, own in self._by_stream().items()
            for removal in removals(self._runtime.database, stream, own)
        ):
            for removal in removes:
                if removal.window in (None, window):
                    found.update(dict.fromkeys(removal.items, type_ == ItemsCompacted.type))
        return {item for item, made_room in found.items() if made_room}

    def texts(self, places: Iterable[Place]) -> dict[Place, str]:
        """The texts at these places that were not erased."""
        wanted = set(places)
        held = self.bytes_of(version for version, _ in wanted)
        return {place: data.decode(errors="replace") for place, data in held.items() if place in wanted}

    def present(self, versions: Iterable[int]) -> set[Place]:
        """The places of these events' contents that were not erased."""
        found: set[Place] = set()
        for stream, wanted in self._by_owner(versions).items():
            found |= present_places(self._runtime.database, stream, wanted)
        return found

    def salts(self, versions: Iterable[int]) -> dict[Place, bytes]:
        """The salts of the contents of these events that are still there."""
        found: dict[Place, bytes] = {}
        for stream, wanted in self._by_owner(versions).items():
            found |= content_salts(self._runtime.database, stream, wanted)
        return found

    def text_at(self, place: Place) -> str:
        """The text at one place."""
        data = self.bytes_of([place[0]]).get(place)
        if data is None:
            raise erased(place[0])
        return data.decode(errors="replace")

    def messages(self, items: Sequence[Item]) -> dict[int, list[Message]]:
        """Each item's messages: one, or for a tool exchange the calls and then each message with results. An item
        of which something was erased is left out."""
        versions = [version for item in items for version in item.versions]
        events, contents = self.events_and_bytes(versions)
        found: dict[int, list[Message]] = {}
        for item in items:
            with suppress(ContentErased):
                found[item.id] = [message_of(events[version], contents) for version in item.versions]
        return found

    def completed(self, item: Item) -> Item:
        """An item from the read model, with what only its events know: their versions and the role that spoke."""
        versions = tuple(self.versions_of(item.id))
        body = self.events([item.id])[item.id].body
        role = str(body.role) if isinstance(body, MessageBody) else None
        if isinstance(body, SystemPromptSet):
            role = str(Role.SYSTEM)
        return item._replace(versions=versions or item.versions, role=role)

    def _by_stream(self) -> dict[UUID, list[VersionRange]]:
        pieces: dict[UUID, list[VersionRange]] = {}
        for piece in self._pieces:
            pieces.setdefault(piece.stream, []).append(piece)
        return pieces

    def _by_owner(self, versions: Iterable[int]) -> dict[UUID, list[int]]:
        wanted: dict[UUID, list[int]] = {}
        for version in dict.fromkeys(versions):
            wanted.setdefault(self._pieces.owner(version), []).append(version)
        return wanted
