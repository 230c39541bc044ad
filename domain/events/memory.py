"""Events of a project: its memory, which outlives sessions."""

from typing import ClassVar
from uuid import UUID

from pydantic import AwareDatetime, Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.memory.values import MemoryKind
from backstory.domain.values import ItemId, Label, Value


class ProjectStarted(EventBody):
    """A project was first written to. Its id follows from its name."""

    type: ClassVar[str] = "project.started"
    verbs: ClassVar[tuple[str, ...]] = ("labels", "window")
    name: Label
    """Its name, the one that sessions belong to it by."""


class MemorySource(Value):
    """The items of one session that a memory was made from."""

    session: UUID
    """The session."""
    items: str = ""
    """The items, as ranges of versions. Empty for what the session's caller said in its own words."""


class MemoryRecorded(EventBody):
    """The project knows something. It may supersede what it knew before."""

    type: ClassVar[str] = "memory.recorded"
    verbs: ClassVar[tuple[str, ...]] = ("brings", "removes")
    kind: MemoryKind
    """fragment, note, preference, knowledge, lesson or decision."""
    text: ContentRef
    """The memory."""
    title: ContentRef | None = None
    """A title in few words."""
    details: ContentRef | None = None
    """More about it, in JSON: of a fragment its decisions, entities, files and times."""
    entities: ContentRef | None = None
    """The people, files, technologies and so on that it is about, as a JSON list."""
    key: Label | None = None
    """A name for what it tells: a later memory with the same key supersedes it."""
    valid_from: AwareDatetime | None = None
    """The time from which it holds; None for always."""
    valid_until: AwareDatetime | None = None
    """The time until which it holds; None for no end."""
    sources: tuple[MemorySource, ...] = ()
    """The items that it was made from."""
    supersedes: tuple[ItemId, ...] = ()
    """The memories that no longer hold because of it."""
    made_by: Label | None = None
    """The rules or the summarizer that wrote it, with their version; None for the caller's own words."""
    model: Label | None = None
    """The model that was asked."""
    prompt_version: int | None = Field(default=None, ge=1)
    """The version of the prompt that the model was asked with."""
    fallback: ContentRef | None = None
    """The reason that another than the configured one wrote it."""
    policy: Label | None = None
    """The policy by which it was made, with its version; None where somebody asked for it."""


class MemoryForgotten(EventBody):
    """A memory no longer holds. It stays in the record, and can be read as of the time before."""

    type: ClassVar[str] = "memory.forgotten"
    verbs: ClassVar[tuple[str, ...]] = ("removes",)
    memory: ItemId
    """The memory."""
    by: ItemId | None = None
    """The memory that took its place."""
    why: ContentRef | None = None
    """The reason."""
