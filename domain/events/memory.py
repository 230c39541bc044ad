"""Events of a project: its memory, which outlives sessions."""

from typing import ClassVar, Literal
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
    candidate: bool = False
    """Whether it waits to be confirmed or dismissed. Until then it is neither recalled nor shown in a prompt."""


class MemoryConfirmed(EventBody):
    """A candidate was confirmed. From here on it is a memory like any other, trusted as far as its sources."""

    type: ClassVar[str] = "memory.confirmed"
    memory: ItemId
    """The memory."""


class MemoryCorroborated(EventBody):
    """Other items say the same as a memory. They are further sources of it; its trust stays as it is."""

    type: ClassVar[str] = "memory.corroborated"
    memory: ItemId
    """The memory."""
    sources: tuple[MemorySource, ...]
    """The items that say the same."""


class SessionReviewed(EventBody):
    """A part of a session was looked through for what outlives it. The memories that were made of it come right after,
    in the same append, so that no part is looked through twice."""

    type: ClassVar[str] = "memory.session_reviewed"
    session: UUID
    """The session."""
    versions: str
    """The part, as ranges of the session's versions."""
    messages: int = Field(ge=0)
    """Its messages and tool exchanges."""
    because: Literal["asked", "ended", "messages"]
    """The reason: somebody asked for it, the session ended, or enough messages had come."""
    fragment: bool
    """Whether it became a fragment. Talk that decided and found nothing becomes none."""
    policy: Label
    """The policy that it went by, with its version."""


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
