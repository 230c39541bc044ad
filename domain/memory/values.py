"""A memory before it is recorded."""

from datetime import datetime
from typing import Any, Literal, get_args
from uuid import UUID

from pydantic import Field

from backstory.domain.values import ItemId, Label, Share, Value

MemoryKind = Literal["fragment", "note", "preference", "knowledge", "lesson", "decision"]
MEMORY_KINDS: tuple[str, ...] = get_args(MemoryKind)


class Source(Value):
    """The items of one session that a memory was made from."""

    session: UUID
    """The session."""
    items: tuple[ItemId, ...] = ()
    """The items, by the versions that brought them. None for a memory that the session's caller gave in its own
    words."""


class MemoryDraft(Value):
    """A memory to be recorded."""

    kind: MemoryKind = "note"
    """Its kind."""
    text: str = Field(min_length=1)
    """Its text."""
    title: str | None = Field(default=None, min_length=1)
    """A title in few words."""
    details: dict[str, Any] | None = None
    """More about it, as JSON: of a fragment its decisions, entities, files and times."""
    entities: tuple[Label, ...] = ()
    """The people, files, technologies and so on that it is about."""
    agent: Label | None = None
    """The agent whose memory it is, and that alone sees it; None for the project's."""
    importance: Share | None = None
    """Its importance; None for that of its kind."""
    valid_from: datetime | None = None
    """The time from which it holds; None for always."""
    valid_until: datetime | None = None
    """The time until which it holds; None for no end."""
    sources: tuple[Source, ...] = ()
    """The items that it was made from."""
    key: Label | None = None
    """A name for what it tells, such as `deploy target`: it supersedes the memory that has this key and agent."""
    supersedes: tuple[ItemId, ...] = ()
    """The memories that no longer hold because of it."""
    keep_secrets: bool = False
    """Whether secrets in it are stored as the project's policy says. A memory goes into many prompts: unless this is
    asked for, they are masked."""
