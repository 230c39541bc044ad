"""The texts of events, as they are indexed and as they are shown."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from backstory.application.contents.source import message_of
from backstory.application.runtime import Runtime
from backstory.application.safety.screen import MASKING
from backstory.domain.effects import NewItem
from backstory.domain.errors import ContentErased, UnknownVersion, VerificationFailed
from backstory.domain.events import Event, SystemPromptSet
from backstory.domain.events.conversation import MessageBody
from backstory.domain.search.marks import marks
from backstory.domain.search.passages import Passage, counted_terms, passages, whole_text
from backstory.domain.search.segment import Entry, IndexedEntry
from backstory.domain.search.terms import terms
from backstory.domain.trust import PROGRAM
from backstory.domain.values import Role, microseconds
from backstory.infrastructure.postgres.queries import query

AT_ONCE = 100
"""Events whose contents are read at once: a tool's result may have megabytes."""


def read_passages(
    runtime: Runtime, stream: UUID, versions: Sequence[int]
) -> Iterator[tuple[Event, list[Passage]]]:
    """Events of a stream's own with their texts, without those of which something was erased. An event that cannot be
    read, or whose contents are not those that it names, has no text: `verify` names it."""
    for start in range(0, len(versions), AT_ONCE):
        yield from _read(runtime, stream, versions[start : start + AT_ONCE])


def read_texts(runtime: Runtime, stream: UUID, versions: Sequence[int]) -> Iterator[tuple[Event, str]]:
    """The same as whole texts."""
    for event, found in read_passages(runtime, stream, versions):
        yield event, whole_text(found)


def index_entries(runtime: Runtime, stream: UUID, first: int, last: int) -> Iterator[IndexedEntry]:
    """What the index notes of the texts in a range of a stream's own versions."""
    rows = runtime.database.read(
        lambda c: c.execute(query("versions_with_text"), (stream, first, last)).fetchall()
    )
    brought: dict[int, NewItem | None] = {}
    for event, found in read_passages(runtime, stream, [row[0] for row in rows]):
        effects = event.effects
        if effects.brings is not None:
            brought[event.version] = effects.brings
        grown = effects.revises or effects.extends
        if grown is not None and grown.item not in brought:
            brought[grown.item] = _brought(runtime, stream, grown.item)
        item = event.version if effects.brings is not None or grown is None else grown.item
        new = brought.get(item)
        if new is None:
            continue
        begins, note = item == event.version, new.origin == PROGRAM and new.type == "message"
        text, counts = whole_text(found), counted_terms(found)
        if begins and new.agent is not None:
            counts.update(terms(new.agent))
        entry = Entry(
            version=event.version,
            item=item,
            revises=effects.revises is not None,
            owner=new.agent if new.private else None,
            type=new.type,
            speaker=new.agent,
            role=_role(event, note),
            time=microseconds(event.occurred_at),
            tokens=new.tokens if begins or grown is None else grown.tokens,
            length=counts.total(),
            marks=int(marks(text, note=note)),
        )
        yield IndexedEntry(entry, counts)


def _read(runtime: Runtime, stream: UUID, versions: Sequence[int]) -> Iterator[tuple[Event, list[Passage]]]:
    try:
        rows = runtime.log.rows_with_contents(stream, versions)
    except VerificationFailed:
        if len(versions) > 1:
            for version in versions:
                yield from _read(runtime, stream, [version])
        return
    for row, contents in rows:
        try:
            event = runtime.mapper.to_domain_event(row)
            places = {(event.version, part): data for part, data in contents.items()}
            message = message_of(event, places)
            # Who searches for a secret would find where it stands.
            found = passages([replace(message, parts=tuple(MASKING.parts(message.parts)))])
        except (ContentErased, LookupError, TypeError, ValueError, AttributeError):
            continue
        yield event, found


def _brought(runtime: Runtime, stream: UUID, item: int) -> NewItem | None:
    """What an earlier event brought, which the stream may have inherited. None where it cannot be told."""
    try:
        (row,) = runtime.log.rows_at(runtime.reader.owner(stream, item), [item])
        return runtime.mapper.to_domain_event(row).effects.brings
    except (UnknownVersion, ValueError):
        return None


def _role(event: Event, note: bool) -> str | None:
    if isinstance(event.body, MessageBody):
        return str(Role.TOOL if note and event.body.role == Role.USER else event.body.role)
    return str(Role.SYSTEM) if isinstance(event.body, SystemPromptSet) else None
