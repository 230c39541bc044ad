"""Events, of one session and of all of them, and their contents."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.wording import ERASED, size

if TYPE_CHECKING:
    from backstory.application.feed.feed import FeedEvent
    from backstory.application.queries.event_contents import NamedContent
    from backstory.application.queries.history import LogEntry
    from backstory.domain.events import Event


class ContentDocument(Document):
    """One content of an event: a text, a tool call, an image, …"""

    field: str = Field(description="The event's field that names it, such as text or parts.0.")
    kind: str = Field(description="text, json, image, thinking, tool_use, tool_result, document, …")
    media_type: str = Field(description="Its media type.")
    size: int = Field(description="Its size in bytes.")
    erased: bool = Field(description="Whether it was erased.")
    name: str | None = Field(description="The tool's name, or null.")
    call_id: str | None = Field(description="The id of the tool call, or null.")
    text: str | None = Field(description="Its text; null if it was erased or is not text.")


class RecordedEventDocument(Document):
    """The fields that every event has."""

    session: UUID = Field(description="The session that recorded it; for inherited events, the parent.")
    version: int = Field(description="Its version in that session.")
    type: str = Field(description="Its type, such as message.added.")
    schema_version: int = Field(description="The version of the payload's schema.")
    recorded_at: datetime = Field(description="The time at which the database recorded it.")
    occurred_at: datetime = Field(description="The time at which it happened.")
    actor: str | None = Field(description="Who did it, or null.")
    caller: str | None = Field(description="The key that it was written with, or null.")
    cause: int | None = Field(description="The version of the event that caused it, or null.")
    epoch: int = Field(description="The number of backtracks before it.")
    payload: Any = Field(description="Its fields, without texts; null if they are not JSON.")
    effects: dict[str, Any] = Field(description="What it does to the read models, by verb.")

    @classmethod
    def recorded(cls, event: "Event") -> "RecordedEventDocument":
        """The document of an event without its contents."""
        return RecordedEventDocument(**_recorded(event))


class ProjectEventsDocument(Document):
    """A page of the log of a project's memory."""

    events: list[RecordedEventDocument] = Field(description="The events, oldest first, without contents.")
    next: int | None = Field(description="The version to continue after; null on the last page.")


class EventDocument(RecordedEventDocument):
    """An event in the history of a session."""

    follows: int | None = Field(
        description="The version it continues from: the one before it, except for backtracks and forks."
    )
    live: bool = Field(description="Whether it leads to the newest version.")
    inherited: bool = Field(description="Whether a fork has it from its parent.")
    contents: list[ContentDocument] = Field(description="Its texts and other contents.")

    @classmethod
    def of(cls, entry: "LogEntry", text_length: int | None = None) -> "EventDocument":
        """The document of one line of the log, with at most so many characters of each text."""
        return cls(**event_fields(entry, text_length))


class EventsDocument(Document):
    """A page of a session's log."""

    events: list[EventDocument] = Field(description="The events, oldest first.")
    next: int | None = Field(description="The version to continue after; null on the last page.")


class FeedEventDocument(RecordedEventDocument):
    """An event in the feed of all sessions."""

    position: int = Field(description="Its position in the feed. `--after` continues from it.")
    project: str | None = Field(description="The project that the session belongs to now, or null.")
    contents: list[ContentDocument] | None = Field(
        description="Its texts and other contents; null without `--texts`."
    )

    @classmethod
    def of(cls, found: "FeedEvent", *, contents: bool) -> "FeedEventDocument":
        """The document of one event of the feed."""
        return cls(
            **_recorded(found.event),
            position=found.position,
            project=found.project,
            contents=_contents(found.contents) if contents else None,
        )


class FeedEventsDocument(Document):
    """A page of the feed."""

    events: list[FeedEventDocument] = Field(description="The events, in the order of the feed.")
    position: int = Field(description="The position up to which events were read, to continue after.")


class ConsumerDocument(Document):
    """A reader of the feed that records its position."""

    name: str = Field(description="Its name.")
    position: int = Field(description="The last position it has processed.")
    behind: int = Field(description="The number of positions it has still to process.")
    seconds: float = Field(description="The age of the oldest event it has not processed.")


class FeedStatusDocument(Document):
    """The progress of the feed and of its consumers."""

    position: int = Field(description="The newest position that readers can see.")
    newest: int = Field(description="The position of the newest event.")
    behind: int = Field(description="The difference between the two.")
    seconds: float = Field(description="How long the oldest event that is not visible yet has waited.")
    stalled_by: int | None = Field(
        description="The process id of the open transaction that the feed waits for, or null."
    )
    stalled_by_prepared: str | None = Field(
        description="The name of the prepared transaction that the feed waits for, or null."
    )
    consumers: list[ConsumerDocument] = Field(description="The consumers that record their position.")


def event_fields(entry: "LogEntry", text_length: int | None = None) -> dict[str, Any]:
    """The fields of an event's document."""
    return {
        **_recorded(entry.event),
        "follows": entry.follows,
        "live": entry.live,
        "inherited": entry.inherited,
        "contents": _contents(entry.contents, text_length),
    }


def _contents(contents: Iterable["NamedContent"], text_length: int | None = None) -> list[ContentDocument]:
    documents = [ContentDocument.model_validate(content) for content in contents]
    if text_length is None:
        return documents
    return [
        document.model_copy(update={"text": document.text and document.text[:text_length]})
        for document in documents
    ]


def _recorded(event: "Event") -> dict[str, Any]:
    from backstory.application.queries.event_contents import payload_of

    return {
        "session": event.stream,
        "version": event.version,
        "type": event.type,
        "schema_version": event.schema_version,
        "recorded_at": event.recorded_at,
        "occurred_at": event.occurred_at,
        "actor": event.actor,
        "caller": event.caller,
        "cause": event.cause,
        "epoch": event.epoch,
        "payload": payload_of(event),
        "effects": event.effects.model_dump(mode="json", exclude_defaults=True),
    }


def text_of(contents: Sequence["NamedContent"]) -> str:
    """The words of contents taken together: a message's parts, thinking last, or the first text of anything else."""
    parts = [content for content in contents if content.field.startswith("parts.")]
    parts = [part for part in parts if not part.field.endswith("extras")]
    parts.sort(key=lambda part: part.kind == "thinking")
    return "  ".join(map(words_of, parts)) if parts else "".join(map(words_of, contents[:1]))


def words_of(content: "NamedContent") -> str:
    """One content as text."""
    if content.erased:
        return ERASED
    if content.kind == "tool_use":
        return f"{content.name}({_arguments(content.text or '')})"
    text = content.text
    if text is None:
        return f"({content.kind}, {content.media_type}, {size(content.size)})"
    return f"→ {text}" if content.kind == "tool_result" else text


def _arguments(text: str) -> str:
    """A call's arguments as code has them if they are an object; otherwise unchanged."""
    try:
        arguments = json.loads(text)
    except ValueError:
        return text
    if not isinstance(arguments, dict):
        return text
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
