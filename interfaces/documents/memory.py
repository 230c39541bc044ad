"""Memories, and the projects that they belong to."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.search import SearchHitDocument


class ProjectDocument(Document):
    """A project in a list."""

    name: str = Field(description="Its name.")
    sessions: int = Field(description="Its sessions.")
    open: int = Field(description="Those of them that have not ended.")
    memories: int = Field(
        description="Memories that were not superseded or forgotten. Those of one agent alone are not counted."
    )
    last_activity: datetime = Field(
        description="The time at which somebody last did something in one of its sessions or in its memory."
    )


class ProjectsDocument(Document):
    """Projects, the most recently active first."""

    projects: list[ProjectDocument] = Field(description="The projects.")


class SourceDocument(Document):
    """Items that a memory was made from."""

    session: UUID = Field(description="The session.")
    items: list[int] = Field(
        description="The items; none for a memory that was given in the session in its author's own words."
    )


class MemoryDocument(Document):
    """A memory of a project."""

    project: str = Field(description="The project.")
    id: int = Field(description="The memory's id in the project: the version that recorded it.")
    kind: str = Field(description="note, preference, knowledge, lesson, decision or fragment.")
    title: str | None = Field(description="Its title, or null.")
    text: str | None = Field(description="Its text; null where it was erased.")
    agent: str | None = Field(description="The agent that alone sees it; null for everybody.")
    key: str | None = Field(
        description="The name of what it tells, under which a later one supersedes it; or null."
    )
    entities: list[str] = Field(description="The people, files, technologies and so on that it is about.")
    sources: list[SourceDocument] = Field(description="The items that it was made from.")
    at: datetime = Field(description="The time at which it was known.")
    recorded_at: datetime = Field(description="The time at which it was recorded.")
    by: str | None = Field(description="The agent or person who recorded it, or null.")
    valid_from: datetime | None = Field(description="The time from which it holds; null for always.")
    valid_until: datetime | None = Field(description="The time until which it holds; null for no end.")
    left_at: datetime | None = Field(
        description="The time at which it was superseded or forgotten; null while it holds."
    )
    superseded_by: int | None = Field(description="The memory that took its place, or null.")
    importance: float = Field(description="Its importance, from 0 to 1.")
    tier: str | None = Field(description="HOT, WARM or COLD; null once it is superseded or forgotten.")
    tokens: int = Field(description="Its tokens.")
    origin: str = Field(
        description="Whose words it is made of: user, model, internal_tool, external_tool, document or import."
    )
    trust: str = Field(description="How far it is trusted: untrusted, derived or trusted.")
    quarantined: bool = Field(description="Whether it is in quarantine.")
    flags: list[str] = Field(description="The suspicions that it raised and that were not cleared.")
    candidate: bool = Field(description="Whether it waits to be confirmed or dismissed.")
    said_again: list[SourceDocument] = Field(description="Other items that say the same.")
    made_by: str | None = Field(
        description="The rules or the summarizer that wrote it; null for its author's own words."
    )
    details: dict[str, Any] | None = Field(
        description="More about it: of a fragment its decisions, entities, files and times; or null."
    )


class MemoryPageDocument(Document):
    """Some of a project's memories, the newest first."""

    memories: list[MemoryDocument] = Field(description="The memories.")
    next: int | None = Field(description="Passed as `--after`, it continues here; null at the end.")


class MemoryHistoryDocument(Document):
    """What was superseded on the way to a memory, and what superseded it."""

    memories: list[MemoryDocument] = Field(description="The memories, oldest first.")


class RecalledDocument(Document):
    """A memory that was found."""

    memory: MemoryDocument = Field(description="The memory.")
    score: float = Field(
        description="Its rank as a number. It compares memories of one query, and nothing else."
    )
    passages: list[SearchHitDocument] = Field(
        description="The items that it was made from and that match the query, best first."
    )


class RecallPageDocument(Document):
    """Some of what a query found in a project's memory, best first."""

    found: list[RecalledDocument] = Field(description="The memories.")
    next: str | None = Field(description="Passed as `--after`, it continues here; null at the end.")
    ranker: int = Field(description="The version of the ranking.")
    warning: str | None = Field(
        description="The reason why it went by words alone, where a model is set that did not answer; or null."
    )


class ProjectVersionDocument(Document):
    """The head of a project's memory."""

    project: str = Field(description="The project.")
    id: UUID = Field(description="The id of its stream.")
    version: int = Field(description="The newest version; 0 where nothing was written yet.")


class ProjectWrittenDocument(Document):
    """The result of a write to a project."""

    project: str = Field(description="The project.")
    version: int = Field(description="The version of the write.")


class MemoryWrittenDocument(Document):
    """A write to a project's memory."""

    project: str = Field(description="The project.")
    memory: int = Field(
        description="The memory that was recorded or, by `forget`, the one that was forgotten."
    )
    version: int = Field(description="The version of the project that the write is.")
